//! Lists of words are open.

use codewhale_mcp_protocol::{
    CacheScope, ContentType, CreateMessageResult, ElicitAction, ElicitMode, IconTheme, IncludeContext,
    LoggingLevel, PropertyType, ResultType, Role, StopReason, StringFormat, TaskStatus, TaskSupport, Tool,
    ToolChoiceMode,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<W>(known: &[&str])
where
    W: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug + std::ops::Deref<Target = str> + Default,
    W: for<'a> From<&'a str>,
{
    for word in known.iter().chain(&["", "a word from the future", "ENDTURN \u{1f40b}"]) {
        let text = serde_json::to_string(word).unwrap();
        let read: W = serde_json::from_str(&text).unwrap();
        assert_eq!(&*read, *word);
        assert_eq!(read, W::from(word));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        let is_other = format!("{read:?}").starts_with("Other(");
        assert_eq!(is_other, !known.contains(word), "{word}");
    }
    assert!(W::default().is_empty(), "the default is no word");
    assert!(serde_json::from_str::<W>("7").is_err());
}

#[test]
fn unknown_words_survive_and_known_ones_are_known() {
    check::<CacheScope>(CacheScope::KNOWN);
    check::<ContentType>(ContentType::KNOWN);
    check::<ElicitAction>(ElicitAction::KNOWN);
    check::<ElicitMode>(ElicitMode::KNOWN);
    check::<IconTheme>(IconTheme::KNOWN);
    check::<IncludeContext>(IncludeContext::KNOWN);
    check::<LoggingLevel>(LoggingLevel::KNOWN);
    check::<PropertyType>(PropertyType::KNOWN);
    check::<ResultType>(ResultType::KNOWN);
    check::<Role>(Role::KNOWN);
    check::<StopReason>(StopReason::KNOWN);
    check::<StringFormat>(StringFormat::KNOWN);
    check::<TaskStatus>(TaskStatus::KNOWN);
    check::<TaskSupport>(TaskSupport::KNOWN);
    check::<ToolChoiceMode>(ToolChoiceMode::KNOWN);
}

#[test]
fn an_object_with_an_unknown_word_is_read() {
    let text = r#"{"role":"narrator","content":[],"model":"m","stopReason":"bored"}"#;
    let result: CreateMessageResult = serde_json::from_str(text).unwrap();
    assert!(result.role.is_unknown() && result.stop_reason.as_deref() == Some("bored"));
    assert_eq!(serde_json::to_string(&result).unwrap(), text);
}

#[test]
fn levels_are_ordered_and_unknown_ones_stand_aside() {
    let levels: Vec<LoggingLevel> =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
            .map(Into::into)
            .into();
    assert!(levels.is_sorted_by(|one, other| one < other));
    let odd = LoggingLevel::from("trace");
    assert!(levels.iter().all(|level| level.partial_cmp(&odd).is_none()));
    assert!(odd.severity().is_none() && odd.partial_cmp(&odd).is_some());
}

#[test]
fn only_a_known_task_support_counts() {
    let support = |execution: &str| {
        let tool = format!(r#"{{"name":"t","execution":{execution}}}"#);
        serde_json::from_str::<Tool>(&tool).unwrap().task_support()
    };
    assert_eq!(support(r#"{"taskSupport":"required"}"#), TaskSupport::Required);
    for odd in [r#"{"taskSupport":"sometimes"}"#, "{}", "[]", "null"] {
        assert_eq!(support(odd), TaskSupport::Forbidden, "{odd}");
    }
}
