//! What a scripted model answers.

use serde_json::Value;

/// One answer.
///
/// As JSON: `text`, `thoughts` and `calls` (each `name`, `arguments`, which are a JSON value or any text, and `id`) are
/// what it says; `usage` what it cost; `stream` (false: in one piece), `split` (how many characters a piece of text or
/// of arguments has) how it comes; `status` and `error` a refusal; `fault` how it is spoilt: `stall` (nothing more comes
/// after the first pieces), `deaf` (nothing comes at all), `cut` (the connection ends in the midst), `end` (the answer
/// ends in the midst, the connection as it should), `broken` (a piece is no JSON), `said` (a piece is an error).
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) thoughts: String,
    pub(super) calls: Vec<Call>,
    pub(super) usage: Value,
    pub(super) whole: bool,
    pub(super) split: usize,
    pub(super) status: u16,
    pub(super) error: Value,
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
        status: u16::try_from(number("status", 200)).unwrap_or(500),
        error: value["error"].clone(),
        fault,
    })
}

fn call(at: usize, value: &Value) -> Call {
    let arguments = match &value["arguments"] {
        Value::Null => "{}".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let id = value["id"].as_str().map_or_else(|| format!("call_{at}"), str::to_owned);
    Call { id, name: value["name"].as_str().unwrap_or_default().to_owned(), arguments }
}
