//! What the suite hands to the driver: an address and a few variables.

use serde::Deserialize;
use serde_json::Value;

use crate::login::Credentials;

/// What the suite hands over.
#[derive(Debug)]
pub(crate) struct Given {
    /// Where the suite's server listens.
    pub(crate) url: String,
    pub(crate) scenario: String,
    pub(crate) context: Context,
}

/// What a scenario needs beside its name.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Context {
    /// Calls to make, as they stand there.
    #[serde(default)]
    pub(crate) tool_calls: Vec<ToolCall>,
    /// Who we are.
    #[serde(skip)]
    pub(crate) credentials: Credentials,
}

/// A call to make.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

impl Given {
    pub(crate) fn read(
        url: Option<String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let scenario = variable("MCP_CONFORMANCE_SCENARIO").ok_or("MCP_CONFORMANCE_SCENARIO is not set")?;
        let context = match variable("MCP_CONFORMANCE_CONTEXT") {
            None => Context::default(),
            Some(text) => {
                let wrong = |error| format!("the context: {error}");
                let context: Context = serde_json::from_str(&text).map_err(wrong)?;
                Context { credentials: serde_json::from_str(&text).map_err(wrong)?, ..context }
            }
        };
        Ok(Self { url: url.ok_or("the server's address is missing")?, scenario, context })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_there_for_some_scenarios_only() {
        let url = Some("http://localhost:1/mcp".to_owned());
        let scenario = |name: &str| (name == "MCP_CONFORMANCE_SCENARIO").then(|| "tools_call".to_owned());
        let given = Given::read(url.clone(), scenario).unwrap();
        assert_eq!((given.scenario.as_str(), given.context.tool_calls.len()), ("tools_call", 0));
        let context = r#"{"name":"n","toolCalls":[{"name":"t","arguments":{"a":null}}],"other":1}"#;
        let given = Given::read(url.clone(), |_| Some(context.to_owned())).unwrap();
        assert_eq!(given.context.tool_calls[0].arguments, serde_json::json!({ "a": null }));
        assert!(Given::read(None, scenario).is_err());
        assert!(Given::read(url, |_| None).is_err());
    }
}
