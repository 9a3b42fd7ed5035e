//! What is asked, and which tool, prompt or resource asks it.

use super::form;
use crate::json::{quote, text_block};
use crate::message::Message;
use serde_json::Value;

/// One question to the client.
pub(in crate::features) struct Question {
    pub(in crate::features) name: &'static str,
    pub(in crate::features) method: &'static str,
    /// The raw params.
    pub(in crate::features) params: String,
    pub(in crate::features) need: Need,
}

/// Questions, and what their answers go into.
pub(in crate::features) struct Inquiry {
    pub(in crate::features) questions: Vec<Question>,
    pub(in crate::features) ends: Ends,
}

/// What a request with answered questions comes to.
pub(in crate::features) enum Ends {
    Tool,
    Prompt,
    Resource,
}

impl Ends {
    /// The inside of the result object, with a text that says what came back.
    pub(super) fn members(&self, said: &str) -> String {
        match self {
            Ends::Tool => format!(r#""content":[{}]"#, text_block(said)),
            Ends::Prompt => format!(r#""messages":[{{"role":"user","content":{}}}]"#, text_block(said)),
            Ends::Resource => format!(r#""contents":[{{"uri":"asked://vault","text":{}}}]"#, quote(said)),
        }
    }
}

/// What the client must have declared.
#[derive(Clone, Copy)]
pub(in crate::features) enum Need {
    Form,
    Url,
    /// Elicitation of a mode that is in no revision.
    Strange,
    Sampling,
    SamplingTools,
    Roots,
}

impl Need {
    pub(super) fn is_declared(self, capabilities: &Value) -> bool {
        let elicitation = capabilities["elicitation"].as_object();
        match self {
            Need::Form => {
                elicitation.is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
            }
            Need::Url => elicitation.is_some_and(|modes| modes.contains_key("url")),
            Need::Strange => elicitation.is_some(),
            Need::Sampling => capabilities["sampling"].is_object(),
            Need::SamplingTools => capabilities["sampling"]["tools"].is_object(),
            Need::Roots => capabilities["roots"].is_object(),
        }
    }

    pub(super) fn capability(self) -> &'static str {
        match self {
            Need::Form | Need::Strange => r#"{"elicitation":{"form":{}}}"#,
            Need::Url => r#"{"elicitation":{"url":{}}}"#,
            Need::Sampling => r#"{"sampling":{}}"#,
            Need::SamplingTools => r#"{"sampling":{"tools":{}}}"#,
            Need::Roots => r#"{"roots":{}}"#,
        }
    }
}

/// Name, the revision it came with, the rest of the definition.
pub(super) const TOOLS: [(&str, &str, &str); 7] = [
    (
        "ask_form",
        "2025-06-18",
        r#""description":"Asks with a form of every kind of field","inputSchema":{"type":"object"}"#,
    ),
    ("ask_url", "2025-11-25", r#""description":"Asks to visit a page","inputSchema":{"type":"object"}"#),
    (
        "ask_strange",
        "2025-11-25",
        r#""description":"Asks in a mode that nobody knows","inputSchema":{"type":"object"}"#,
    ),
    ("ask_sampling", "", r#""description":"Asks the model","inputSchema":{"type":"object"}"#),
    (
        "ask_sampling_tools",
        "2025-11-25",
        r#""description":"Asks the model, with tools","inputSchema":{"type":"object"}"#,
    ),
    ("ask_roots", "", r#""description":"Asks for the roots","inputSchema":{"type":"object"}"#),
    ("ask_all", "2025-06-18", r#""description":"Asks three things at once","inputSchema":{"type":"object"}"#),
];

/// The questions that this request brings up, when it is one that does.
pub(super) fn inquiry(message: &Message, revision: &str) -> Option<Inquiry> {
    let (name, uri) = (message.param_text("name"), message.param_text("uri"));
    let name = name.unwrap_or_default();
    let elicits = revision >= "2025-06-18";
    let (questions, ends) = match message.method()?.as_str() {
        "tools/call" => (asked_by(&name, revision)?, Ends::Tool),
        "prompts/get" if name == "interview" && elicits => (vec![short()], Ends::Prompt),
        "resources/read" if uri? == "asked://vault" && elicits => (vec![short()], Ends::Resource),
        _ => return None,
    };
    Some(Inquiry { questions, ends })
}

fn asked_by(tool: &str, revision: &str) -> Option<Vec<Question>> {
    let (_, since, _) = TOOLS.iter().find(|(name, ..)| *name == tool)?;
    if *since > revision {
        return None;
    }
    Some(match tool {
        "ask_form" => vec![form(revision)],
        "ask_url" => vec![url(revision)],
        "ask_strange" => vec![Question {
            name: "strange",
            method: "elicitation/create",
            params: r#"{"mode":"telepathy","message":"Think of a number"}"#.to_owned(),
            need: Need::Strange,
        }],
        "ask_sampling" => vec![sampling()],
        "ask_sampling_tools" => vec![Question {
            name: "tools",
            method: "sampling/createMessage",
            params: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"What is the weather?"}]}],"maxTokens":50,"tools":[{"name":"weather","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}"#
                .to_owned(),
            need: Need::SamplingTools,
        }],
        "ask_roots" => vec![roots()],
        _ => vec![short(), sampling(), roots()],
    })
}

/// A form of one field.
pub(super) fn short() -> Question {
    form_of("short")
}

/// The same under another name.
pub(in crate::features) fn form_of(name: &'static str) -> Question {
    Question {
        name,
        method: "elicitation/create",
        params: r#"{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#
            .to_owned(),
        need: Need::Form,
    }
}

fn form(revision: &str) -> Question {
    Question { name: "form", method: "elicitation/create", params: form::params(revision), need: Need::Form }
}

/// Only the legacy era tells of the completion, and needs an id for it.
fn url(revision: &str) -> Question {
    let id = if revision == "2025-11-25" { r#","elicitationId":"visit-1""# } else { "" };
    let params = format!(
        r#"{{"mode":"url","message":"Please confirm the payment","url":"https://fake.example/confirm?order=7&sum=1%2C50"{id}}}"#
    );
    Question { name: "url", method: "elicitation/create", params, need: Need::Url }
}

fn sampling() -> Question {
    Question {
        name: "sampling",
        method: "sampling/createMessage",
        params: r#"{"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"systemPrompt":"Be brief.","modelPreferences":{"hints":[{"name":"claude"}],"costPriority":0.2},"includeContext":"none","temperature":0.5,"maxTokens":100,"stopSequences":["\n\n"],"metadata":{"trace":1}}"#
            .to_owned(),
        need: Need::Sampling,
    }
}

fn roots() -> Question {
    Question { name: "roots", method: "roots/list", params: "{}".to_owned(), need: Need::Roots }
}
