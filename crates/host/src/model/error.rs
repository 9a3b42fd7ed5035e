//! Why there is no answer of the model.

use std::time::Duration;

use codewhale_mcp_net::NetError;
use codewhale_mcp_redact::safe_line;
use serde_json::Value;

use super::NotConfigured;

/// How much of an error's text is told.
const TOLD: usize = 1_000;

/// Why there is no answer of the model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model is configured.
    #[error(transparent)]
    NotConfigured(#[from] NotConfigured),
    /// It cannot be reached, or was lost.
    #[error("the model cannot be reached: {0}")]
    Net(#[source] NetError),
    /// It answered with an error.
    #[error("the model answered with status {status}: {message}")]
    Refused {
        /// The status of HTTP.
        status: u16,
        /// What it said.
        message: String,
        /// How long it wants to be left alone, if it says so.
        retry_after: Option<Duration>,
    },
    /// It said an error in the midst of its answer.
    #[error("the model failed: {message}")]
    Said {
        /// What it said.
        message: String,
    },
    /// It was asked again and again.
    #[error("{last} (asked {times} times)")]
    Again {
        /// What came of it the last time.
        #[source]
        last: Box<Self>,
        /// How often it was asked.
        times: u32,
    },
    /// Nothing more came.
    #[error("the model said nothing for {} s", after.as_secs())]
    Stalled {
        /// For so long.
        after: Duration,
    },
    /// Its answer ended too early.
    #[error("the model's answer ended too early")]
    Cut,
    /// Its answer makes no sense.
    #[error("the model's answer makes no sense: {reason}")]
    Broken {
        /// What is wrong with it.
        reason: String,
    },
    /// Its answer is too long.
    #[error("the model's answer is longer than {limit} bytes")]
    TooLong {
        /// The most bytes it may have.
        limit: usize,
    },
}

impl ModelError {
    /// The answer to a request that was refused.
    pub(super) fn refused(status: u16, body: &[u8], retry_after: Option<Duration>) -> Self {
        let said = match serde_json::from_slice::<Value>(body) {
            Ok(value) => message(value.get("error").unwrap_or(&value)),
            Err(_) => line(&String::from_utf8_lossy(body)),
        };
        let message = if said.is_empty() { "it says nothing more".to_owned() } else { said };
        Self::Refused { status, message, retry_after }
    }
}

/// The words of an error of the API.
pub(super) fn message(error: &Value) -> String {
    let text = match error {
        Value::String(text) => text.clone(),
        Value::Object(members) => match members.get("message").or(members.get("detail")) {
            Some(Value::String(text)) => text.clone(),
            _ => error.to_string(),
        },
        other => other.to_string(),
    };
    line(&text)
}

/// A text on one line, not too long.
fn line(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    let end = line.char_indices().nth(TOLD).map(|(at, _)| at);
    match end {
        Some(end) => format!("{}…", safe_line(&line[..end])),
        None => safe_line(&line).into_owned(),
    }
}
