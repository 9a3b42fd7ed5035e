//! A question for a model, answered by a person in its place.

use codewhale_mcp_protocol::{
    Content, ContentKind, CreateMessageParams, CreateMessageResult, OneOrMany, Role, StopReason,
};

use super::dialog::{Stop, WithPerson, quote, short};
use crate::print::{Line, Printer, bytes};

/// The most bytes of one text that are shown.
const TEXT: usize = 4 * 1024;
/// The most messages that are shown; the last are the ones that count.
const MESSAGES: usize = 20;

const END: &str = ".";
const REFUSE: &str = ":refuse";

/// Shows what a server wants to know of a model (MCP 2026-07-28, client/sampling).
pub(super) fn show(printer: &Printer, params: &CreateMessageParams) {
    if let Some(system) = &params.system_prompt {
        printer.talk(Line::new().plain("  ").dim("system:"));
        quote(printer, system, TEXT, "    ");
    }
    let left_out = params.messages.len().saturating_sub(MESSAGES);
    if left_out > 0 {
        printer.talk(Line::new().plain("  ").dim(format!("({left_out} earlier messages)")));
    }
    for message in &params.messages[left_out..] {
        printer.talk(Line::new().plain("  ").dim(format!("{}:", short(&message.role, 20))));
        message.content.as_slice().iter().for_each(|content| block(printer, content));
    }
    let limit = params.max_tokens.as_ref().map(|most| format!("at most {most} tokens"));
    let hints = params.model_preferences.iter().flat_map(|wishes| wishes.hints.iter().flatten());
    let models: Vec<String> =
        hints.filter_map(|hint| hint.name.as_deref()).take(5).map(|name| short(name, 40)).collect();
    let models = (!models.is_empty()).then(|| format!("for a model like {}", models.join(", ")));
    let wishes: Vec<String> = limit.into_iter().chain(models).collect();
    if !wishes.is_empty() {
        printer.talk(Line::new().plain("  ").dim(format!("({})", wishes.join("; "))));
    }
}

fn block(printer: &Printer, content: &Content) {
    let described = match content.view() {
        ContentKind::Text(text) => return quote(printer, text, TEXT, "    "),
        ContentKind::Image { data, mime_type } => {
            format!("image, {mime_type}, {} of base64", bytes(data.len() as u64))
        }
        ContentKind::Audio { data, mime_type } => {
            format!("audio, {mime_type}, {} of base64", bytes(data.len() as u64))
        }
        ContentKind::Resource(resource) => format!("resource {}", short(&resource.uri, 200)),
        ContentKind::ResourceLink { uri, .. } => format!("resource link {}", short(uri, 200)),
        other => format!("content of another kind: {}", short(&format!("{other:?}"), 200)),
    };
    printer.talk(Line::new().plain("    ").dim(described));
}

/// Lets the person type an answer; none is a refusal.
pub(super) async fn typed(person: &WithPerson<'_>, params: &CreateMessageParams) -> Option<String> {
    let words = format!(
        "type the answer in the model's place; `{END}` on a line of its own ends it, {REFUSE} refuses"
    );
    person.printer.talk(Line::from(words));
    loop {
        let mut lines: Vec<String> = Vec::new();
        let text = loop {
            match person.ask(Line::from(">")).await {
                Ok(line) if line == REFUSE => return None,
                Ok(line) if line == END => break lines.join("\n"),
                Ok(line) => lines.push(line),
                Err(Stop::Cancel | Stop::Decline) => return None,
            }
        };
        match fits(&text, params) {
            Ok(()) => return Some(text),
            Err(why) => person.refuse(why),
        }
    }
}

/// Whether a text may be the answer: `maxTokens` has to be kept to (MCP 2026-07-28, client/sampling).
pub(super) fn fits(text: &str, params: &CreateMessageParams) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("an answer has to have words".to_owned());
    }
    let most = params.max_tokens.as_ref().and_then(|most| most.as_f64()).unwrap_or(f64::INFINITY);
    // A usual guess, as no model is at hand that would count.
    let tokens = text.chars().count().div_ceil(4);
    if tokens as f64 > most {
        Err(format!("it has about {tokens} tokens, and may have {most}"))
    } else {
        Ok(())
    }
}

/// The text as what a model answers.
pub(super) fn answer(text: String) -> CreateMessageResult {
    CreateMessageResult {
        role: Role::Assistant,
        content: OneOrMany::from(Content::text(text)),
        model: "a person".to_owned(),
        stop_reason: Some(StopReason::EndTurn),
        ..CreateMessageResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_words_and_no_more_than_the_limit() {
        let params: CreateMessageParams = serde_json::from_str(r#"{"messages":[],"maxTokens":2}"#).unwrap();
        assert_eq!(fits("12345678", &params), Ok(()));
        assert!(fits("123456789", &params).unwrap_err().contains("about 3 tokens, and may have 2"));
        assert!(fits(" ", &params).is_err());
        let result = serde_json::to_value(answer("hi".into())).unwrap();
        assert_eq!(result["content"]["text"], "hi");
        assert_eq!((&result["role"], &result["stopReason"]), (&"assistant".into(), &"endTurn".into()));
    }
}
