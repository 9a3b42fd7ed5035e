//! What a tool's schemas say of arguments and results.

use std::time::{Duration, Instant};

use codewhale_mcp_client::{
    ArgumentCheck, OutputFault, SchemaFault, Uncheckable, check_arguments, check_output, schema_fault,
};
use codewhale_mcp_protocol::{CallToolResult, Json, Tool};

fn tool(schema: &str) -> Tool {
    serde_json::from_str(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).expect("a tool")
}

fn check(schema: &str, arguments: &str) -> ArgumentCheck {
    check_arguments(&tool(schema), &Json::from_text(arguments).expect("JSON"))
}

#[test]
fn schemas_that_are_none_are_named_and_take_any_arguments() {
    let rows = [
        ("null", Some(SchemaFault::Missing)),
        ("true", Some(SchemaFault::NotAnObject { found: "a boolean" })),
        ("{}", Some(SchemaFault::NoType)),
        (r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, Some(SchemaFault::NoType)),
        (r#"{"anyOf":[{"type":"object"}]}"#, Some(SchemaFault::NoType)),
        (r#"{"type":"string"}"#, Some(SchemaFault::OtherType { found: r#""string""#.into() })),
        (r#"{"type":"object"}"#, None),
        (r#"{"type":["null","object"]}"#, None),
    ];
    for (schema, fault) in rows {
        assert_eq!(schema_fault(&tool(schema)), fault, "{schema}");
        assert_eq!(check(schema, r#"{"a":1}"#), ArgumentCheck::Passed, "{schema}");
    }
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(schema_fault(&tool(&deep)), Some(SchemaFault::Unreadable));
}

#[test]
fn a_schema_is_readable_if_all_of_it_is() {
    let nested = |depth| format!("{}{{}}{}", r#"{"not":"#.repeat(depth), "}".repeat(depth));
    let (shallow, deep) = (nested(100), nested(200));
    let rows = [
        (r#"{"type":"string","type":"object"}"#, None),
        (
            r#"{"type":"object","type":["string"]}"#,
            Some(SchemaFault::OtherType { found: r#"["string"]"#.into() }),
        ),
        (r#"{"type":"object","properties":{"type":{"type":"string"}}}"#, None),
        (
            r#"{"\u0074ype":"object","title":"a\nb \ud83d\udc0b","default":-1.5e3,"x":[null,true,18446744073709551616]}"#,
            None,
        ),
        (r#"{"type":"object","title":"\ud83d"}"#, Some(SchemaFault::Unreadable)),
        (r#"{"type":"object","properties":{"a":{"enum":["\udc0b"]}}}"#, Some(SchemaFault::Unreadable)),
        (r#"{"type":"object","maximum":1e999}"#, Some(SchemaFault::Unreadable)),
        (shallow.as_str(), Some(SchemaFault::NoType)),
        (deep.as_str(), Some(SchemaFault::Unreadable)),
        ("1.5", Some(SchemaFault::NotAnObject { found: "a number" })),
        (r#""object""#, Some(SchemaFault::NotAnObject { found: "a string" })),
        (r#"[{"type":"object"}]"#, Some(SchemaFault::NotAnObject { found: "an array" })),
    ];
    for (schema, fault) in rows {
        assert_eq!(schema_fault(&tool(schema)), fault, "{schema}");
        let is_read = serde_json::from_str::<serde_json::Value>(schema).is_ok();
        assert_eq!(fault != Some(SchemaFault::Unreadable), is_read, "{schema}");
    }
}

#[test]
fn arguments_that_do_not_match_are_refused_with_the_place() {
    let refs = r##"{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"}},
        "$defs":{"Q":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}}"##;
    let rows = [
        (r#"{"type":"object","required":["a","b"]}"#, "{}", "", "missing: a, b"),
        (
            r#"{"type":"object","properties":{"a":{}},"additionalProperties":false}"#,
            r#"{"x":1,"y":2}"#,
            "",
            "unknown: x, y",
        ),
        (r#"{"type":"object","properties":{"a":false}}"#, r#"{"a":1}"#, "/a", "is not allowed"),
        (refs, r#"{"q":{"text":5}}"#, "/q/text", "5 is not of type \"string\""),
        (r#"{"type":"object"}"#, "[]", "", "arguments must be a JSON object"),
        (r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#, r#"{"a":1.5}"#, "/a", "integer"),
        (
            r#"{"type":"object","properties":{"a":{"enum":["x"]}}}"#,
            "{\"a\":\"\\u001b[2J\"}",
            "/a",
            "is not one of",
        ),
    ];
    for (schema, arguments, path, message) in rows {
        let ArgumentCheck::Refused(found) = check(schema, arguments) else { panic!("{schema} {arguments}") };
        assert_eq!(found[0].path, path, "{schema}");
        assert!(found[0].message.contains(message), "{found:?}");
        assert!(!found[0].message.contains('\u{1b}'), "{found:?}");
    }
    assert_eq!(check(refs, r#"{"q":{"text":"x"}}"#), ArgumentCheck::Passed);
    let told = |found: ArgumentCheck| match found {
        ArgumentCheck::Refused(found) => found[0].to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(told(check(refs, r#"{"q":{}}"#)), "/q: missing: text");
    assert_eq!(told(check(r#"{"type":"object","required":["a"]}"#, "{}")), "missing: a");
    let out_of_range = ArgumentCheck::Unchecked(Uncheckable::OutOfRange);
    assert_eq!(check(refs, r#"{"q":{"text":"x","n":1e400}}"#), out_of_range);
}

#[test]
fn a_schema_that_reaches_out_or_takes_too_much_is_not_used() {
    let large = format!(r#"{{"type":"object","description":"{}"}}"#, "x".repeat(1 << 20));
    let rows = [
        r#"{"type":"object","properties":{"q":{"$ref":"http://127.0.0.1:9/schema.json"}}}"#,
        r#"{"type":"object","properties":{"q":{"$ref":"file:///etc/passwd"}}}"#,
        r#"{"type":"object","properties":{"q":{"pattern":"(?=a)b"}}}"#,
        r#"{"type":"object","properties":{"q":{"pattern":"^(a{1000}){1000}$"}}}"#,
        r#"{"type":"object","properties":{"q":{"minimum":"five"}}}"#,
        &large,
    ];
    for schema in rows {
        let found = check(schema, r#"{"q":"aaaa"}"#);
        assert!(matches!(found, ArgumentCheck::Unchecked(_)), "{:.80}: {found:?}", schema);
    }
}

#[test]
fn schemas_that_refer_to_themselves_end() {
    let rows = [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ];
    for schema in rows {
        assert_eq!(check(schema, "{}"), ArgumentCheck::Passed, "{schema}");
    }
    let tree = r##"{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}"##;
    let deep = format!("{}{{}}{}", r#"{"a":"#.repeat(120), "}".repeat(120));
    assert_eq!(check(tree, &deep), ArgumentCheck::Passed);
}

#[test]
fn a_schema_whose_branches_multiply_is_given_up() {
    let mut defs = r#""d0":{"type":"string"}"#.to_owned();
    for level in 0..40 {
        let inner = format!(r##"{{"$ref":"#/$defs/d{level}"}}"##);
        defs += &format!(r#","d{}":{{"anyOf":[{inner},{inner}]}}"#, level + 1);
    }
    let schema =
        format!(r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d40"}}}},"$defs":{{{defs}}}}}"##);
    let start = Instant::now();
    assert!(matches!(check(&schema, r#"{"a":1}"#), ArgumentCheck::Unchecked(_)));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn results_are_held_against_the_output_schema_unless_the_tool_failed() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#;
    let with = |schema: &str| -> Tool {
        serde_json::from_str(&format!(r#"{{"name":"t","outputSchema":{schema}}}"#)).unwrap()
    };
    let result = |text: &str| -> CallToolResult { serde_json::from_str(text).unwrap() };
    assert_eq!(check_output(&with(schema), &result(r#"{"structuredContent":{"n":1}}"#)), None);
    assert_eq!(check_output(&with(schema), &result("{}")), Some(OutputFault::Missing));
    let wrong = check_output(&with(schema), &result(r#"{"structuredContent":{"n":"x"}}"#));
    assert!(matches!(wrong, Some(OutputFault::Mismatch { .. })), "{wrong:?}");
    for failed in [r#"{"isError":true}"#, r#"{"isError":true,"structuredContent":{"n":"x"}}"#] {
        assert_eq!(check_output(&with(schema), &result(failed)), None);
    }
    let broken = check_output(&with(r#"{"type":7}"#), &result(r#"{"structuredContent":1}"#));
    assert!(matches!(broken, Some(OutputFault::Unchecked(_))), "{broken:?}");
    assert_eq!(check_output(&tool("{}"), &result(r#"{"structuredContent":1}"#)), None);
}
