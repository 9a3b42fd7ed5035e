//! A tool's arguments, from the words of a command line.

use codewhale_mcp_protocol::{Json, Tool};
use serde_json::{Value, json};

/// An argument cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArgumentFault {
    #[error("argument {0:?} is neither k=v nor k:=json")]
    NoName(String),
    #[error("argument {name:?} is not JSON: {reason}")]
    NotJson { name: String, reason: String },
    #[error("argument {name:?} is not {expected}")]
    NotOfType { name: String, expected: &'static str },
    #[error("argument {0:?} stands twice")]
    Twice(String),
    #[error("the arguments are not a JSON object")]
    NotAnObject,
}

/// The arguments as one JSON object, each value spelled as it was given.
pub(crate) fn from_words(tool: &Tool, words: &[String]) -> Result<Json, ArgumentFault> {
    let mut members: Vec<(String, String)> = Vec::new();
    for word in words {
        let (name, value) = word.split_once('=').ok_or_else(|| ArgumentFault::NoName(word.clone()))?;
        let (name, text) = match name.strip_suffix(':') {
            Some(name) => (name, as_json(name, value)?),
            None => (name, as_type(name, value, declared_type(tool, name).as_deref())?),
        };
        if members.iter().any(|(other, _)| other == name) {
            return Err(ArgumentFault::Twice(name.to_owned()));
        }
        members.push((name.to_owned(), text));
    }
    let members: Vec<String> =
        members.into_iter().map(|(name, text)| format!("{}:{text}", json!(name))).collect();
    Ok(Json::from_text(format!("{{{}}}", members.join(","))).expect("every part of it is JSON"))
}

/// The arguments from one JSON text.
pub(crate) fn from_json(text: &str) -> Result<Json, ArgumentFault> {
    let json = Json::from_text(text)
        .map_err(|error| ArgumentFault::NotJson { name: "--json-args".into(), reason: error.to_string() })?;
    if json.as_str().trim_start().starts_with('{') { Ok(json) } else { Err(ArgumentFault::NotAnObject) }
}

fn as_json(name: &str, value: &str) -> Result<String, ArgumentFault> {
    match Json::from_text(value) {
        Ok(json) => Ok(json.as_str().to_owned()),
        Err(error) => Err(ArgumentFault::NotJson { name: name.to_owned(), reason: error.to_string() }),
    }
}

fn as_type(name: &str, value: &str, declared: Option<&str>) -> Result<String, ArgumentFault> {
    let expected = match declared {
        Some("integer") => "an integer",
        Some("number") => "a number",
        Some("boolean") => "true or false",
        Some("array") => "a JSON array",
        Some("object") => "a JSON object",
        Some("null") => "null",
        _ => return Ok(json!(value).to_string()),
    };
    let fits = |parsed: &Value| match declared {
        Some("integer") => parsed.is_i64() || parsed.is_u64() || is_integer(value),
        Some("number") => parsed.is_number(),
        Some("boolean") => parsed.is_boolean(),
        Some("array") => parsed.is_array(),
        Some("object") => parsed.is_object(),
        _ => parsed.is_null(),
    };
    match serde_json::from_str::<Value>(value) {
        Ok(parsed) if fits(&parsed) => Ok(value.trim().to_owned()),
        _ => Err(ArgumentFault::NotOfType { name: name.to_owned(), expected }),
    }
}

/// Integers beyond 64 bits are integers, too.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The one type that the tool's schema declares for an argument.
fn declared_type(tool: &Tool, name: &str) -> Option<String> {
    let schema: Value = tool.input_schema.as_ref()?.decode().ok()?;
    Some(schema.get("properties")?.get(name)?.get("type")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<String, ArgumentFault> {
        let schema = json!({"properties": {
            "n": {"type": "integer"}, "x": {"type": "number"}, "b": {"type": "boolean"},
            "s": {"type": "string"}, "a": {"type": "array"}, "any": {}
        }});
        let tool = Tool { input_schema: Some(schema.into()), ..Tool::default() };
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        from_words(&tool, &words).map(|json| json.as_str().to_owned())
    }

    #[test]
    fn words_become_values_of_the_declared_type_spelled_as_given() {
        for (words, expected) in [
            (&["n=9007199254740993"][..], r#"{"n":9007199254740993}"#),
            (&["n=123456789012345678901234567890"], r#"{"n":123456789012345678901234567890}"#),
            (&["x=1e30", "b=true"], r#"{"x":1e30,"b":true}"#),
            (&["s=5", "any=5", "new=a=b"], r#"{"s":"5","any":"5","new":"a=b"}"#),
            (&["a=[1, 2]", "any:=-0"], r#"{"a":[1, 2],"any":-0}"#),
            (&["s="], r#"{"s":""}"#),
            (&[], "{}"),
        ] {
            assert_eq!(read(words).unwrap(), expected);
        }
    }

    #[test]
    fn a_word_that_does_not_fit_is_named() {
        for (words, expected) in [
            (&["n=1.5"][..], "argument \"n\" is not an integer"),
            (&["b=yes"], "argument \"b\" is not true or false"),
            (&["word"], "argument \"word\" is neither k=v nor k:=json"),
            (&["s=1", "s=2"], "argument \"s\" stands twice"),
        ] {
            assert_eq!(read(words).unwrap_err().to_string(), expected);
        }
        assert!(read(&["n:={"]).unwrap_err().to_string().starts_with("argument \"n\" is not JSON"));
        assert_eq!(from_json("[1]"), Err(ArgumentFault::NotAnObject));
    }
}
