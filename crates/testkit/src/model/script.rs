//! What a scripted model answers.

use serde_json::Value;

/// One answer.
///
/// As JSON: `text`, `thoughts` and `calls` (each `name`, `arguments`, which are a JSON value or any text, and `id`) are
/// what it says; `usage` what it cost; `stream` (false: in one piece), `split` (how many characters a piece of text or
/// of arguments has) how it comes; `events` is what comes in the place of all that, each a JSON value or the text of one;
/// `status`, `error` and `retry_after` a refusal; `fault` how it is spoilt: `stall` (nothing more comes after the first
/// pieces), `deaf` (nothing comes at all), `gone` (the connection ends before anything comes), `cut` (it ends in the
/// midst), `end` (the answer ends in the midst, the connection as it should), `broken` (a piece is no JSON), `said` (a
/// piece is an error).
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) thoughts: String,
    pub(super) calls: Vec<Call>,
    pub(super) usage: Value,
    pub(super) whole: bool,
    pub(super) split: usize,
    pub(super) events: Vec<String>,
    pub(super) status: u16,
    pub(super) error: Value,
    pub(super) retry_after: Option<String>,
    pub(super) fault: Fault,
}

/// A tool that the model wants called.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// How an answer is spoilt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Fault {
    #[default]
    None,
    Stall,
    Deaf,
    Gone,
    Cut,
    End,
    Broken,
    Said,
}

const ANSWER: [&str; 11] = [
    "text",
    "thoughts",
    "calls",
    "usage",
    "stream",
    "split",
    "events",
    "status",
    "error",
    "retry_after",
    "fault",
];

/// Reads a script: an array of answers, or one.
pub(super) fn read(text: &str) -> Result<Vec<Answer>, String> {
    let script: Value =
        serde_json::from_str(text).map_err(|error| format!("the script is no JSON: {error}"))?;
    let answers = match script {
        Value::Array(answers) => answers,
        one => vec![one],
    };
    let numbered = answers.iter().enumerate();
    numbered.map(|(at, value)| answer(value).map_err(|why| format!("answer {}: {why}", at + 1))).collect()
}

/// An object whose members are all known: one that is misspelled would be left out without a word.
fn known(value: &Value, names: &[&str]) -> Result<(), String> {
    let members = value.as_object().ok_or_else(|| format!("{value} is no object"))?;
    match members.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("there is no member `{name}`; there are {}", names.join(", "))),
        None => Ok(()),
    }
}

fn answer(value: &Value) -> Result<Answer, String> {
    known(value, &ANSWER)?;
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str, default: u64| value[name].as_u64().unwrap_or(default);
    let calls = value["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fault = match value["fault"].as_str() {
        None => Fault::None,
        Some("stall") => Fault::Stall,
        Some("deaf") => Fault::Deaf,
        Some("gone") => Fault::Gone,
        Some("cut") => Fault::Cut,
        Some("end") => Fault::End,
        Some("broken") => Fault::Broken,
        Some("said") => Fault::Said,
        Some(other) => return Err(format!("there is no fault `{other}`")),
    };
    Ok(Answer {
        text: text("text"),
        thoughts: text("thoughts"),
        calls: calls.iter().enumerate().map(|(at, value)| call(at, value)).collect::<Result<_, _>>()?,
        usage: value["usage"].clone(),
        whole: value["stream"] == false,
        split: usize::try_from(number("split", 7)).unwrap_or(7).max(1),
        events: value["events"].as_array().into_iter().flatten().map(text_of).collect(),
        status: u16::try_from(number("status", 200)).unwrap_or(500),
        error: value["error"].clone(),
        retry_after: value["retry_after"].as_str().map(str::to_owned),
        fault,
    })
}

fn call(at: usize, value: &Value) -> Result<Call, String> {
    known(value, &["name", "arguments", "id"])?;
    let arguments = match &value["arguments"] {
        Value::Null => "{}".to_owned(),
        given => text_of(given),
    };
    let id = value["id"].as_str().map_or_else(|| format!("call_{at}"), str::to_owned);
    Ok(Call { id, name: value["name"].as_str().unwrap_or_default().to_owned(), arguments })
}

/// A text as it is, anything else as JSON.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_is_misspelled_is_refused_with_its_place() {
        for (script, expected) in [
            (r#"[{"text": "a"}, {"txet": "b"}]"#, "answer 2: there is no member `txet`"),
            (r#"{"calls": [{"nmae": "echo"}]}"#, "answer 1: there is no member `nmae`; there are name,"),
            (r#"["hello"]"#, "answer 1: \"hello\" is no object"),
            (r#"{"fault": "stal"}"#, "answer 1: there is no fault `stal`"),
        ] {
            let refused = read(script).expect_err(script);
            assert!(refused.starts_with(expected), "{script}: {refused}");
        }
        assert_eq!(read(r#"{"text": "a", "calls": [{"name": "echo", "id": "1"}]}"#).unwrap().len(), 1);
    }
}
