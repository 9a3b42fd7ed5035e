//! The body of a request.

use codewhale_mcp_protocol::Json;
use serde::Serialize;
use serde_json::Value;

/// A tool that is offered to the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Offer {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The schema of its arguments, as its server gave it.
    pub(crate) parameters: Json,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<&'a Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Json,
}

/// The body of a request: a system prompt unless it is empty, what was said, and what may be called.
pub(crate) fn body_of(model: &str, system: &str, messages: &[Value], offers: &[Offer]) -> Vec<u8> {
    let system = serde_json::json!({"role": "system", "content": system});
    let first = Some(&system).filter(|system| system["content"] != "");
    let tools = offers.iter().map(|offer| Tool {
        r#type: "function",
        function: Function {
            name: &offer.name,
            description: &offer.description,
            parameters: &offer.parameters,
        },
    });
    let body = Body {
        model,
        messages: first.into_iter().chain(messages).collect(),
        tools: tools.collect(),
        stream: true,
        stream_options: StreamOptions { include_usage: true },
    };
    serde_json::to_vec(&body).expect("a request has string keys")
}
