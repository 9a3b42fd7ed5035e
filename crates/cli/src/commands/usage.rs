//! How a tool is called, in words of the command line, and what of a call it does not know.

use codewhale_mcp_client::{Expected, ExpectedArgument, OtherArguments};
use codewhale_mcp_manager::suggest;

use crate::hint::word;

/// The most arguments that are named.
const MOST: usize = 12;
/// The longest list of values that is written out.
const VALUES: usize = 40;

/// The tool and its arguments, such as `read_file path=<string> [head=<number>]`.
pub(super) fn usage(tool: &str, expected: &Expected) -> String {
    let mut words = vec![word(tool)];
    words.extend(expected.arguments.iter().take(MOST).map(one));
    if expected.arguments.len() > MOST || expected.others == OtherArguments::Taken {
        words.push("…".to_owned());
    }
    words.join(" ")
}

fn one(argument: &ExpectedArgument) -> String {
    let values = argument.values.join("|");
    let kind = if values.is_empty() || values.len() > VALUES { &argument.kind } else { &values };
    let sign = if kind == "object" { ":=" } else { "=" };
    let written = format!("{}{sign}<{kind}>", word(&argument.name));
    if argument.required { written } else { format!("[{written}]") }
}

/// Every argument that the tool does not name, each with what was probably meant. Nothing of a tool that takes others.
pub(super) fn unknown<'g>(expected: &Expected, given: impl IntoIterator<Item = &'g str>) -> Vec<String> {
    if expected.others == OtherArguments::Taken {
        return Vec::new();
    }
    let names: Vec<&str> = expected.arguments.iter().map(|argument| argument.name.as_str()).collect();
    let mut told: Vec<String> = Vec::new();
    for name in given.into_iter().filter(|name| !names.contains(name)) {
        let text = match suggest(name, names.iter().copied()).first() {
            Some(near) => format!("unknown argument `{name}`, did you mean `{near}`?"),
            None => format!("unknown argument `{name}`"),
        };
        if !told.contains(&text) {
            told.push(text);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_client::expected_arguments;

    use super::*;

    fn expected(schema: &str) -> Expected {
        let tool = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        expected_arguments(&serde_json::from_str(&tool).expect("a tool"))
    }

    #[test]
    fn a_call_is_written_as_it_would_be_typed() {
        let schema = r#"{"type":"object","properties":{"head":{"type":"number"},"path":{"type":"string"},
            "unit":{"enum":["c","f"]},"ids":{"type":"array","items":{"type":"string"}},"o":{"type":"object"}},
            "required":["path"]}"#;
        assert_eq!(
            usage("read it", &expected(schema)),
            "'read it' path=<string> [head=<number>] [unit=<c|f>] [ids=<array of string>] [o:=<object>]"
        );
        assert_eq!(usage("t", &expected(r#"{"type":"object"}"#)), "t …");
    }

    #[test]
    fn what_a_tool_does_not_name_is_told_with_what_was_meant() {
        let schema = r#"{"type":"object","properties":{"path":{}}}"#;
        assert_eq!(
            unknown(&expected(schema), ["pth", "path", "zzz", "zzz"]),
            ["unknown argument `pth`, did you mean `path`?", "unknown argument `zzz`"]
        );
        assert!(unknown(&expected(r#"{"type":"object"}"#), ["pth"]).is_empty());
    }
}
