//! An answer of the model that is whole.

use codewhale_mcp_protocol::Json;
use serde::Deserialize;
use serde_json::{Value, json};

/// What the model answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ModelAnswer {
    pub(crate) text: String,
    /// What it thought, where it says so.
    pub(crate) thoughts: String,
    /// What it wants called, in its order.
    pub(crate) calls: Vec<ToolCall>,
    /// Why it stopped, in the API's words.
    pub(crate) finish: Option<String>,
    pub(crate) usage: Usage,
    /// The model that answered, if it says so.
    pub(crate) model: Option<String>,
}

/// What the model wants called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// As they came: they may be no JSON.
    pub(crate) arguments: String,
}

impl ToolCall {
    /// Its arguments as a JSON object; none at all are an empty one.
    pub(crate) fn input(&self) -> Result<Json, String> {
        let text = self.arguments.trim();
        if text.is_empty() {
            return Ok(json!({}).into());
        }
        match Json::from_text(text) {
            Ok(json) if json.as_str().trim_start().starts_with('{') => Ok(json),
            Ok(_) => Err("its arguments are no JSON object".to_owned()),
            Err(error) => Err(format!("its arguments are no JSON: {error}")),
        }
    }
}

impl ModelAnswer {
    /// Why it stopped, in the words of the messages.
    pub(crate) fn stop_reason(&self) -> &'static str {
        match self.finish.as_deref() {
            _ if !self.calls.is_empty() => "tool_use",
            Some("length") => "max_tokens",
            Some("content_filter") => "refusal",
            _ => "end_turn",
        }
    }
}

/// What an answer cost, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// What was read.
    pub input: u64,
    /// What was written.
    pub output: u64,
    /// Of what was read, what had been read before.
    pub cached: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WireUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_cache_hit_tokens: Option<u64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Details {
    cached_tokens: Option<u64>,
}

impl Usage {
    /// Reads `usage` of the API; what is not there is nothing.
    pub(super) fn read(usage: Value) -> Self {
        let usage: WireUsage = serde_json::from_value(usage).unwrap_or_default();
        let details = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
        Self {
            input: usage.prompt_tokens.unwrap_or(0),
            output: usage.completion_tokens.unwrap_or(0),
            cached: usage.prompt_cache_hit_tokens.or(details).unwrap_or(0),
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: self.cached.saturating_add(other.cached),
        }
    }

    /// In the words of the messages, where what was read before is counted apart.
    pub(crate) fn told(self) -> Value {
        json!({
            "input_tokens": self.input.saturating_sub(self.cached),
            "output_tokens": self.output,
            "cache_read_input_tokens": self.cached,
            "cache_creation_input_tokens": 0,
        })
    }
}
