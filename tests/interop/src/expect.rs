//! What checks say when something is not as it has to be.

use std::fmt::Debug;

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_protocol::{CallToolResult, ErrorObject, Json, Members};
use serde_json::Value;

use crate::check::Outcome;
use crate::peer::failed;

/// Both are the same.
pub(crate) fn same<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: T, wanted: U) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what} is {found:?} and not {wanted:?}")) }
}

/// It holds.
pub(crate) fn holds(what: &str, it: bool) -> Outcome {
    if it { Ok(()) } else { Err(format!("it does not hold that {what}")) }
}

/// The text has this in it.
pub(crate) fn contains(text: &str, part: &str) -> Outcome {
    if text.contains(part) { Ok(()) } else { Err(format!("{text:?} does not have {part:?} in it")) }
}

/// A JSON value that came as text.
pub(crate) fn value(json: &Json) -> Value {
    json.decode().expect("it was JSON when it came")
}

/// Calls a tool that must not fail.
pub(crate) async fn call(client: &Client, name: &str, arguments: Value) -> Result<CallToolResult, String> {
    let result = client.call_tool(name, &arguments).send().await.map_err(failed)?;
    if result.is_error { Err(format!("{name} failed: {}", text(&result))) } else { Ok(result) }
}

/// The text of a tool that must not fail.
pub(crate) async fn say(client: &Client, name: &str, arguments: Value) -> Result<String, String> {
    Ok(text(&call(client, name, arguments).await?))
}

/// The structured content of a tool that must not fail.
pub(crate) async fn structured(client: &Client, name: &str, arguments: Value) -> Result<Value, String> {
    let result = call(client, name, arguments).await?;
    result.structured_content.as_ref().map(value).ok_or(format!("{name} has no structured content"))
}

/// The text of a tool that must fail as tools do.
pub(crate) async fn say_failed(client: &Client, name: &str, arguments: Value) -> Result<String, String> {
    let result = client.call_tool(name, &arguments).send().await.map_err(failed)?;
    if result.is_error { Ok(text(&result)) } else { Err(format!("{name} did not fail: {}", text(&result))) }
}

/// Every text of a result, one a line.
pub(crate) fn text(result: &CallToolResult) -> String {
    let texts: Vec<&str> = result.content.iter().filter_map(|content| content.text.as_deref()).collect();
    texts.join("\n")
}

/// The server's error, where there must be one.
pub(crate) fn refused<T: Debug>(result: Result<T, CallError>) -> Result<ErrorObject, String> {
    match result {
        Err(CallError::ServerError { error, .. }) => Ok(error),
        Err(other) => Err(format!("it failed in another way: {other}")),
        Ok(result) => Err(format!("it was not refused: {result:?}")),
    }
}

/// The names of every tool, sorted.
pub(crate) async fn tools(client: &Client) -> Result<Vec<String>, String> {
    let listed = client.list_tools().await.map_err(failed)?;
    let mut names: Vec<String> = listed.items.into_iter().map(|tool| tool.name).collect();
    names.sort();
    Ok(names)
}

/// Arguments of a prompt.
pub(crate) fn arguments(pairs: &[(&str, &str)]) -> Members<String> {
    pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// The texts of a prompt that must not fail, one a line.
pub(crate) async fn prompt(client: &Client, name: &str, with: &[(&str, &str)]) -> Result<String, String> {
    let result = client.get_prompt(name, &arguments(with)).send().await.map_err(failed)?;
    let texts = result.messages.into_iter().filter_map(|message| message.content.text);
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// The text of a resource's only part.
pub(crate) async fn read(client: &Client, uri: &str) -> Result<String, String> {
    let result = client.read_resource(uri).send().await.map_err(failed)?;
    match &result.contents[..] {
        [part] => part.text.clone().ok_or(format!("{uri} is no text")),
        parts => Err(format!("{uri} has {} parts", parts.len())),
    }
}

/// Proposals for an argument.
pub(crate) async fn proposals(
    client: &Client,
    of: codewhale_mcp_protocol::CompletionReference,
    argument: (&str, &str),
    known: &[(&str, &str)],
) -> Result<Vec<String>, String> {
    let result = client.complete(of, argument, arguments(known)).send().await.map_err(failed)?;
    Ok(result.completion.values)
}
