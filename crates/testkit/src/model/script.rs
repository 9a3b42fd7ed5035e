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

/// Reads a script: an array of answers, or one.
pub(super) fn read(text: &str) -> Result<Vec<Answer>, String> {
    let script: Value =
        serde_json::from_str(text).map_err(|error| format!("the script is no JSON: {error}"))?;
    match script {
        Value::Array(answers) => answers.iter().map(answer).collect(),
        one => Ok(vec![answer(&one)?]),
    }
}

fn answer(value: &Value) -> Result<Answer, String> {
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
        calls: calls.iter().enumerate().map(|(at, value)| call(at, value)).collect(),
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

fn call(at: usize, value: &Value) -> Call {
    let arguments = match &value["arguments"] {
        Value::Null => "{}".to_owned(),
        given => text_of(given),
    };
    let id = value["id"].as_str().map_or_else(|| format!("call_{at}"), str::to_owned);
    Call { id, name: value["name"].as_str().unwrap_or_default().to_owned(), arguments }
}

/// A text as it is, anything else as JSON.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
