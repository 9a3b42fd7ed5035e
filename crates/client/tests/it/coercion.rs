//! From `k=v` to arguments.

use codewhale_mcp_client::{Argument, ArgumentValue, CoerceError, coerce};
use codewhale_mcp_protocol::{Json, Tool};

fn tool(schema: &str) -> Tool {
    serde_json::from_str(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).expect("a tool")
}

fn text(name: &str, value: &str) -> Argument {
    Argument { name: name.into(), value: ArgumentValue::Text(value.into()) }
}

#[test]
fn a_text_becomes_what_the_schema_says() {
    let rows = [
        (r#"{"type":"string"}"#, "5", r#""5""#),
        (r#"{"type":"string"}"#, "null", r#""null""#),
        (r#"{"type":["string","null"]}"#, "null", r#""null""#),
        (r#"{"type":"integer"}"#, "5", "5"),
        (r#"{"type":"integer"}"#, "9007199254740993", "9007199254740993"),
        (r#"{"type":"integer"}"#, "123456789012345678901234567890", "123456789012345678901234567890"),
        (r#"{"type":"number"}"#, "1e30", "1e30"),
        (r#"{"type":"number"}"#, "-0", "-0"),
        (r#"{"type":"number"}"#, "1.10", "1.10"),
        (r#"{"type":"integer"}"#, "007", r#""007""#),
        (r#"{"type":"integer"}"#, "five", r#""five""#),
        (r#"{"type":"boolean"}"#, "true", "true"),
        (r#"{"type":"boolean"}"#, "yes", r#""yes""#),
        (r#"{"type":["integer","null"]}"#, "null", "null"),
        (r#"{"type":"object"}"#, r#"{"a":1.0}"#, r#"{"a":1.0}"#),
        (r#"{"type":"array","items":{"type":"integer"}}"#, "[1,2]", "[1,2]"),
        (r#"{"type":"array","items":{"type":"integer"}}"#, "1", "[1]"),
        (r#"{"type":"array","items":{"type":"string"}}"#, "a b", r#"["a b"]"#),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "7", "7"),
        (r#"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, "7", r#""7""#),
        (r#"{"enum":["1","2"]}"#, "1", r#""1""#),
        (r#"{"enum":[1,2]}"#, "1", "1"),
        (r#"{"enum":["auto",1]}"#, "auto", r#""auto""#),
        (r#"{"const":true}"#, "true", "true"),
        (r##"{"$ref":"#/$defs/N"}"##, "3", "3"),
        (r##"{"allOf":[{"$ref":"#/$defs/N"}]}"##, "3", "3"),
        (r##"{"$ref":"#/$defs/Loop"}"##, "3", r#""3""#),
        (r##"{"$ref":"http://other.test/x"}"##, "3", r#""3""#),
        ("{}", "3", r#""3""#),
        ("true", "3", r#""3""#),
    ];
    for (schema, given, sent) in rows {
        let whole = format!(
            r##"{{"type":"object","properties":{{"v":{schema}}},
                "$defs":{{"N":{{"type":"integer"}},"Loop":{{"$ref":"#/$defs/Loop"}}}}}}"##
        );
        let arguments = coerce(&tool(&whole), &[text("v", given)]).unwrap();
        assert_eq!(arguments.as_str(), format!(r#"{{"v":{sent}}}"#), "{schema} {given}");
    }
}

#[test]
fn members_are_found_behind_references_and_branches_and_among_additional_ones() {
    let rows = [
        r##"{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"n":{"type":"integer"}}}}}"##,
        r#"{"anyOf":[{"properties":{"m":{}}},{"properties":{"n":{"type":"integer"}}}]}"#,
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
    ];
    for schema in rows {
        assert_eq!(coerce(&tool(schema), &[text("n", "1")]).unwrap().as_str(), r#"{"n":1}"#, "{schema}");
    }
    for schema in ["null", "true", r#"{"properties":7}"#, r#"{"type":"object"}"#] {
        assert_eq!(coerce(&tool(schema), &[text("n", "1")]).unwrap().as_str(), r#"{"n":"1"}"#, "{schema}");
    }
}

#[test]
fn json_stays_as_it_is_and_repeated_arguments_make_a_list() {
    let json = |name: &str, text: &str| Argument {
        name: name.into(),
        value: ArgumentValue::Json(Json::from_text(text).unwrap()),
    };
    let schema = r#"{"properties":{"l":{"type":"array","items":{"type":"number"}},"s":{"type":"string"}}}"#;
    let given = [text("l", "1"), json("s", "9007199254740993.10"), text("l", "2.50"), json("l", "null")];
    let arguments = coerce(&tool(schema), &given).unwrap();
    assert_eq!(arguments.as_str(), r#"{"l":[1,2.50,null],"s":9007199254740993.10}"#);
    let twice = coerce(&tool(schema), &[text("s", "a"), text("s", "b")]);
    assert_eq!(twice, Err(CoerceError::GivenTwice { name: "s".into() }));
    assert_eq!(coerce(&tool(schema), &[]).unwrap().as_str(), "{}");
}

#[test]
fn a_schema_that_leads_back_to_itself_takes_no_longer_than_another() {
    let branches = |reference: &str| vec![format!(r#"{{"$ref":"{reference}"}}"#); 50].join(",");
    let rows = [
        // Followed one by one, 50 branches to the power of how deep they are followed.
        (
            format!(r##"{{"properties":{{"n":{{"$ref":"#/x"}}}},"x":{{"anyOf":[{}]}}}}"##, branches("#/x")),
            r#""1""#,
        ),
        (format!(r##"{{"oneOf":[{}],"additionalProperties":{{"type":"integer"}}}}"##, branches("#")), "1"),
        // A list of lists of lists, without an end.
        (
            r##"{"properties":{"n":{"$ref":"#/x"}},"x":{"type":"array","items":{"$ref":"#/x"}}}"##.to_owned(),
            r#"["1"]"#,
        ),
    ];
    for (schema, sent) in rows {
        let arguments = coerce(&tool(&schema), &[text("n", "1")]).unwrap();
        assert_eq!(arguments.as_str(), format!(r#"{{"n":{sent}}}"#), "{schema}");
    }
}
