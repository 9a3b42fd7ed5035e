//! Which arguments go into headers is found within bounds, and what comes out can stand in a header.
//!
//! The input is a schema; behind a line `---` may follow arguments.

#![no_main]

use std::collections::HashSet;
use std::time::{Duration, Instant};

use codewhale_mcp_protocol::header::{PARAM_PREFIX, decode_value};
use codewhale_mcp_protocol::{Json, ToolHeaders};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Far more than any of it may take, also on a machine that does much else.
const BOUND: Duration = Duration::from_secs(15);

fuzz_target!(|input: &str| {
    let (schema, arguments) = input.split_once("\n---\n").unwrap_or((input, "{}"));
    let (Ok(schema), Ok(arguments)) = (Json::from_text(schema), Json::from_text(arguments)) else { return };
    let started = Instant::now();
    let headers = ToolHeaders::of(&schema);
    if let Ok(schema) = schema.decode::<Value>()
        && !has_word(&schema)
    {
        assert_eq!(headers, Ok(ToolHeaders::default()));
    }
    let Ok(headers) = headers else { return };
    assert_eq!(headers.values(&Json::from_text("{}").expect("JSON")), Ok(vec![]));
    let Ok(values) = headers.values(&arguments) else { return };
    assert!(started.elapsed() < BOUND, "it takes {:?}", started.elapsed());
    let mut names = HashSet::new();
    for (name, value) in values {
        let own = name.strip_prefix(PARAM_PREFIX).expect("every header of an argument begins so");
        assert!(!own.is_empty() && own.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':'), "{name}");
        assert!(names.insert(own.to_ascii_lowercase()), "{name}");
        assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{value:?}");
        assert_eq!(value.trim(), value);
        let text = decode_value(&value).expect("what was encoded can be decoded");
        if let Ok(arguments) = arguments.decode::<Value>() {
            assert!(has_leaf(&arguments, &text), "{text:?}");
        }
    }
});

fn has_word(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.contains_key("x-mcp-header") || members.values().any(has_word),
        Value::Array(items) => items.iter().any(has_word),
        _ => false,
    }
}

/// Whether a value of this text stands anywhere among the arguments.
fn has_leaf(value: &Value, text: &str) -> bool {
    match value {
        Value::Object(members) => members.values().any(|value| has_leaf(value, text)),
        Value::Array(items) => items.iter().any(|value| has_leaf(value, text)),
        Value::String(own) => own == text,
        Value::Number(number) => number.as_f64() == text.parse().ok(),
        other => other.to_string() == text,
    }
}
