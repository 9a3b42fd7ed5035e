//! Questions whose every text is hostile.

use super::text::spoilt;
use crate::features::input::{Ends, Inquiry, Need, Question};
use crate::message::Message;

/// The questions that a call of one of the asking tools brings up.
pub(super) fn inquiry(message: &Message, _: &str) -> Option<Inquiry> {
    if !message.is_method("tools/call") {
        return None;
    }
    let question = match message.param_text("name")?.as_str() {
        "hostile_ask" => {
            Question { name: "form", method: "elicitation/create", params: form(), need: Need::Form }
        }
        "hostile_url" => Question {
            name: "url",
            method: "elicitation/create",
            params: format!(
                r#"{{"mode":"url","message":{},"url":{},"elicitationId":"hostile-1"}}"#,
                spoilt("message"),
                spoilt("https://fake.example@xn--e1awd7f.example/")
            ),
            need: Need::Url,
        },
        "hostile_sampling" => Question {
            name: "sampling",
            method: "sampling/createMessage",
            params: format!(
                r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":{0}}}}}],"systemPrompt":{0},"maxTokens":10}}"#,
                spoilt("text")
            ),
            need: Need::Sampling,
        },
        _ => return None,
    };
    Some(Inquiry { questions: vec![question], ends: Ends::Tool })
}

fn form() -> String {
    let (title, about) = (spoilt("title"), spoilt("description"));
    format!(
        r#"{{"message":{},"requestedSchema":{{"type":"object","properties":{{"name":{{"type":"string","title":{title},"description":{about}}},"pick":{{"type":"string","title":{title},"enum":["a","b"],"enumNames":[{title},{title}]}}}}}}}}"#,
        spoilt("message")
    )
}
