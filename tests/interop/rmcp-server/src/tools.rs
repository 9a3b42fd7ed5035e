//! The tools: their list, and what each does.

use std::fs;
use std::sync::PoisonError;
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use crate::{Server, is_modern, made};

/// Every tool.
pub fn list(grown: &[String]) -> Vec<Value> {
    let tool = |name: &str, arguments: Value| {
        let schema = json!({ "type": "object", "properties": arguments });
        json!({ "name": name, "description": name, "inputSchema": schema })
    };
    let mut weather = tool("weather", json!({ "city": { "type": "string" } }));
    weather["outputSchema"] = json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "degrees": { "type": "number" }, "tags": { "type": "array" } },
    });
    let mut all = vec![weather];
    all.push(tool("say", json!({ "text": { "type": "string" } })));
    all.push(tool("fails", json!({ "why": { "type": "string" } })));
    all.push(tool("counts", json!({ "to": { "type": "integer" } })));
    all.push(tool("samples", json!({ "question": { "type": "string" } })));
    all.push(tool("waits", json!({ "trace": { "type": "string" } })));
    all.push(tool("grows", json!({ "name": { "type": "string" } })));
    let grown = grown.iter().map(String::as_str);
    for name in ["picture", "sound", "asks", "looks", "asks_twice"].into_iter().chain(grown) {
        all.push(tool(name, json!({})));
    }
    all
}

/// Does what a tool does.
pub async fn call(
    server: &Server,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let arguments = json!(request.arguments);
    match &*request.name {
        "say" => Ok(text(arguments["text"].as_str().unwrap_or_default())),
        "picture" => Ok(content(ContentBlock::image("iVBORw0KGgo=", "image/png"))),
        "sound" => Ok(content(ContentBlock::audio("UklGRgQAAABXQVZF", "audio/wav"))),
        "weather" => {
            let weather = json!({ "city": arguments["city"], "degrees": -1.5, "tags": ["cold", "ünï"] });
            Ok(CallToolResult::structured(weather).into())
        }
        "fails" => {
            let why = ContentBlock::text(arguments["why"].as_str().unwrap_or_default());
            Ok(CallToolResult::error(vec![why]).into())
        }
        "counts" => counts(arguments["to"].as_u64(), &context).await,
        "waits" => waits(arguments["trace"].as_str().unwrap_or_default(), &context).await,
        "asks" => asks(&request, &context).await,
        "samples" => samples(&request, arguments["question"].as_str().unwrap_or_default(), &context).await,
        "looks" => looks(&request, &context).await,
        "asks_twice" => Ok(asks_twice(&request)),
        "grows" => {
            let name = arguments["name"].as_str().unwrap_or_default().to_owned();
            server.grown.lock().unwrap_or_else(PoisonError::into_inner).push(name);
            server.grows.notify_waiters();
            if !is_modern(&context) {
                context.peer.notify_tool_list_changed().await.map_err(failed)?;
            }
            Ok(text("grown"))
        }
        name if server.grown().iter().any(|grown| grown == name) => Ok(text("new here")),
        name => Err(ErrorData::invalid_params(format!("no such tool: {name}"), None)),
    }
}

fn text(text: impl Into<String>) -> CallToolResponse {
    content(ContentBlock::text(text))
}

fn content(block: ContentBlock) -> CallToolResponse {
    CallToolResult::success(vec![block]).into()
}

fn failed(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

async fn report(context: &RequestContext<RoleServer>, progress: Value) -> Result<(), ErrorData> {
    let Some(token) = context.meta.get_progress_token() else { return Ok(()) };
    let mut params = json!({ "progressToken": token });
    params.as_object_mut().expect("it is one").extend(progress.as_object().cloned().unwrap_or_default());
    context.peer.notify_progress(made(params)).await.map_err(failed)
}

async fn counts(
    to: Option<u64>,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let Some(to) = to else {
        return Ok(CallToolResult::error(vec![ContentBlock::text("to has to be a number")]).into());
    };
    let mut ticks = tokio::time::interval(Duration::from_millis(500));
    for step in 1..=to {
        ticks.tick().await;
        let message = format!("step {step}");
        report(context, json!({ "progress": step, "total": to, "message": message })).await?;
    }
    Ok(text(format!("counted to {to}")))
}

async fn waits(trace: &str, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    report(context, json!({ "progress": 0, "message": "waiting" })).await?;
    context.ct.cancelled().await;
    fs::write(trace, "cancelled\n").map_err(failed)?;
    Ok(text("was cancelled"))
}

fn form(message: &str) -> Value {
    let properties = json!({
        "name": { "type": "string", "title": "Name", "minLength": 1 },
        "age": { "type": "integer", "minimum": 0 },
        "color": { "type": "string", "enum": ["red", "green"] },
    });
    let schema = json!({ "type": "object", "properties": properties, "required": ["name"] });
    json!({ "mode": "form", "message": message, "requestedSchema": schema })
}

fn sampling(question: &str) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": question } });
    json!({ "messages": [message], "maxTokens": 50, "systemPrompt": "Be short." })
}

/// Questions by name, each a method and its params.
fn first_needs(questions: &[(&str, &str, Value)], state: Option<&str>) -> CallToolResponse {
    let mut requests = json!({});
    for (name, method, params) in questions {
        requests[*name] = json!({ "method": method, "params": params });
    }
    let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    made::<InputRequiredResult>(result).into()
}

/// An answer to a question of [`first_needs`].
fn answer(request: &CallToolRequestParams, name: &str) -> Option<Value> {
    Some(json!(request.input_responses.as_ref()?.get(name)?))
}

fn told(answer: &Value) -> String {
    format!(
        "{} {}",
        answer["action"].as_str().unwrap_or_default(),
        match &answer["content"] {
            Value::Null => json!({}),
            content => content.clone(),
        }
    )
}

async fn asks(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if !is_modern(context) {
        let result = context.peer.create_elicitation(made(form("Who are you?"))).await.map_err(failed)?;
        return Ok(text(told(&json!(result))));
    }
    Ok(match answer(request, "who") {
        None => first_needs(&[("who", "elicitation/create", form("Who are you?"))], Some("first")),
        Some(_) if request.request_state.as_deref() != Some("first") => {
            return Err(ErrorData::invalid_params("the state did not come back", None));
        }
        Some(answer) => text(told(&answer)),
    })
}

async fn samples(
    request: &CallToolRequestParams,
    question: &str,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let answer = if is_modern(context) {
        answer(request, "model")
    } else {
        match context.peer.create_message(made(sampling(question))).await {
            Ok(result) => Some(json!(result)),
            Err(error) => {
                return Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into());
            }
        }
    };
    Ok(match answer {
        None => first_needs(&[("model", "sampling/createMessage", sampling(question))], None),
        Some(answer) => text(format!("{} said {}", answer["model"].as_str().unwrap_or("?"), words(&answer))),
    })
}

fn words(answer: &Value) -> &str {
    answer["content"]["text"].as_str().unwrap_or("?")
}

async fn looks(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let answer = if is_modern(context) {
        answer(request, "roots")
    } else {
        Some(json!(context.peer.list_roots().await.map_err(failed)?))
    };
    let Some(answer) = answer else {
        return Ok(first_needs(&[("roots", "roots/list", json!({}))], None));
    };
    let roots = answer["roots"].as_array().cloned().unwrap_or_default();
    let named = |root: &Value| {
        format!("{}={}", root["name"].as_str().unwrap_or("?"), root["uri"].as_str().unwrap_or("?"))
    };
    Ok(text(roots.iter().map(named).collect::<Vec<_>>().join(" ")))
}

fn asks_twice(request: &CallToolRequestParams) -> CallToolResponse {
    let state = request.request_state.as_deref();
    match (answer(request, "one"), answer(request, "two"), answer(request, "three")) {
        (Some(one), Some(two), _) => {
            let known = format!("{}, {}", told(&one), words(&two));
            first_needs(&[("three", "elicitation/create", form("Three?"))], Some(&known))
        }
        (_, _, Some(three)) => text(format!("{}, {}", state.unwrap_or("?"), told(&three))),
        _ => {
            let one = ("one", "elicitation/create", form("One?"));
            first_needs(&[one, ("two", "sampling/createMessage", sampling("Two?"))], Some("round 1"))
        }
    }
}
