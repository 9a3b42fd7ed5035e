//! What a tool's definition costs a model, roughly.

use codewhale_mcp_protocol::{Json, Tool};
use serde::Serialize;

/// Tokens that a tool's definition takes in a prompt, as an estimate: a quarter of the bytes of the JSON object that a
/// model gets (name, description, input schema), rounded up. Real tokenizers differ by a third either way.
#[must_use]
pub fn estimated_tokens(name: &str, tool: &Tool) -> u64 {
    #[derive(Serialize)]
    struct Shown<'t> {
        name: &'t str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'t str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        input_schema: Option<&'t Json>,
    }
    let shown =
        Shown { name, description: tool.description.as_deref(), input_schema: tool.input_schema.as_ref() };
    let bytes = serde_json::to_string(&shown).expect("strings and JSON text have a JSON form").len();
    (bytes as u64).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_bytes_counts_rounded_up() {
        let mut tool = Tool { name: "t".into(), ..Tool::default() };
        // {"name":"mcp_s_t"} has 18 bytes.
        assert_eq!(estimated_tokens("mcp_s_t", &tool), 5);
        tool.description = Some("12345678".into());
        tool.input_schema = Some(Json::from_text("{}").unwrap());
        // {"name":"mcp_s_t","description":"12345678","input_schema":{}} has 61.
        assert_eq!(estimated_tokens("mcp_s_t", &tool), 16);
    }
}
