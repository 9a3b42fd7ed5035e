//! Prompts with arguments that are required, and messages of every kind of content.

use crate::base::{Answer, Base, Feature, PDF, PNG, Reply, WAV};
use crate::json::text_block;
use crate::message::Message;
use crate::out::Out;

/// The prompts `review`, with two arguments, and `numbered`, which nobody describes.
pub(super) struct Prompts;

impl Prompts {
    pub(super) fn new(base: &mut Base) -> Prompts {
        base.catalogue.prompts.extend([REVIEW.to_owned(), r#"{"name":"numbered"}"#.to_owned()]);
        Prompts
    }
}

const REVIEW: &str = r#"{"name":"review","title":"Review a text","description":"Asks for a review","arguments":[{"name":"text","title":"The text","description":"what is to be reviewed","required":true},{"name":"style","description":"formal, friendly, funny or terse"},{"name":"line","description":"where to begin","required":false}]}"#;

impl Feature for Prompts {
    fn answer(&mut self, message: &Message, base: &mut Base, _: &Out) -> Option<Answer> {
        if !message.is_method("prompts/get") {
            return None;
        }
        let (id, name) = (message.id()?, message.param_text("name")?);
        if message
            .param_value("arguments")
            .as_object()
            .is_some_and(|all| all.values().any(|one| !one.is_string()))
        {
            return Some(Answer::Now(Reply::error(id, -32602, "arguments of a prompt are strings", None)));
        }
        let members = match name.as_str() {
            "review" => match message.arguments().text("text") {
                Some(text) => review(&text, message, base.revision(message)),
                None => {
                    return Some(Answer::Now(Reply::error(id, -32602, "the argument text is missing", None)));
                }
            },
            "numbered" => format!(r#""messages":[{}]"#, said("user", &text_block("one"))),
            _ => return None,
        };
        Some(Answer::Now(base.result(message, &members)))
    }
}

/// Every kind of content that the revision knows, one a message, from both roles.
fn review(text: &str, message: &Message, revision: &str) -> String {
    let style = message.arguments().text("style").unwrap_or_else(|| "formal".to_owned());
    let mut messages = vec![
        said("user", &text_block(&format!("Review in a {style} way: {text}"))),
        said("assistant", &text_block("Show me the picture.")),
        said("user", &format!(r#"{{"type":"image","data":"{PNG}","mimeType":"image/png"}}"#)),
        said(
            "user",
            r#"{"type":"resource","resource":{"uri":"text://greeting","mimeType":"text/plain","text":"hello"}}"#,
        ),
        said(
            "user",
            &format!(
                r#"{{"type":"resource","resource":{{"uri":"blob://paper","mimeType":"application/pdf","blob":"{PDF}"}}}}"#
            ),
        ),
    ];
    if revision >= "2025-03-26" {
        messages.push(said("user", &format!(r#"{{"type":"audio","data":"{WAV}","mimeType":"audio/wav"}}"#)));
    }
    if revision >= "2025-06-18" {
        messages.push(said("user", r#"{"type":"resource_link","uri":"text://greeting","name":"greeting"}"#));
    }
    format!(r#""description":"A review","messages":[{}]"#, messages.join(","))
}

fn said(role: &str, content: &str) -> String {
    format!(r#"{{"role":"{role}","content":{content}}}"#)
}
