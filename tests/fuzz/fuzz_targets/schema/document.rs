//! Schemas that lead from one to another, values and arguments: bytes choose what stands where.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// The deepest that schemas and values are within each other.
const DEPTH: u8 = 6;

const ONE: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "items",
    "additionalProperties",
    "contains",
    "propertyNames",
    "additionalItems",
];
const SEVERAL: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED: &[&str] = &["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
const NAMES: &[&str] = &["a", "b", "^a", "(a+)+$"];
const REFERENCES: &[&str] = &[
    "#",
    "#/$defs/a",
    "#/definitions/b",
    "#/properties/a",
    "#a",
    "other.json#/a",
    "http://h.test/s",
    "file:///s",
    "#/%24defs/a",
    "#/",
];
const TYPES: &[&str] = &["object", "array", "string", "integer", "number", "boolean", "null", "other"];
const LIMITS: &[&str] = &["minLength", "maximum", "multipleOf", "minItems", "minProperties", "minContains"];
const PLAIN: &[&str] = &["null", "true", "0", "1", "-1.5", "1e300", "\"a\"", "\"1\"", "[]", "{}"];
const FORMATS: &[&str] = &["date-time", "email", "regex", "idn-hostname", "uri"];
const DRAFTS: &[&str] = &[
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    "http://h.test/",
];

/// An input for the target: a schema, a value and arguments.
pub(crate) fn input(choices: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    schema(&mut text, choices, DEPTH)?;
    text.push_str("\n---\n");
    value(&mut text, choices, DEPTH)?;
    text.push_str("\n---\n");
    for _ in 0..choices.int_in_range(0..=3)? {
        text.extend([choices.choose(&["a", "b", "a:"])?, "=", choices.choose(PLAIN)?, "\n"]);
    }
    Ok(text)
}

fn schema(text: &mut String, choices: &mut Unstructured<'_>, depth: u8) -> Result<()> {
    if depth == 0 || choices.ratio(1, 12)? {
        text.push_str(choices.choose(&["true", "false", "{}", "1"])?);
        return Ok(());
    }
    text.push('{');
    for at in 0..choices.int_in_range(0..=3)? {
        text.push_str(if at > 0 { "," } else { "" });
        keyword(text, choices, depth - 1)?;
    }
    text.push('}');
    Ok(())
}

fn keyword(text: &mut String, choices: &mut Unstructured<'_>, depth: u8) -> Result<()> {
    match choices.int_in_range(0..=9)? {
        0 | 1 => {
            let key = choices.choose(&["$ref", "$ref", "$dynamicRef", "$recursiveRef"])?;
            *text += &format!(r#""{key}":"{}""#, choices.choose(REFERENCES)?);
        }
        2 => *text += &format!(r#""type":"{}""#, choices.choose(TYPES)?),
        3 => {
            let key = choices.choose(&["const", "default", "enum"])?;
            *text += &format!(r#""{key}":{}"#, choices.choose(PLAIN)?);
        }
        4 => *text += &format!(r#""{}":{}"#, choices.choose(LIMITS)?, choices.choose(PLAIN)?),
        5 => {
            let key =
                choices.choose(&["$schema", "$id", "$anchor", "$dynamicAnchor", "pattern", "format"])?;
            let value = choices.choose(match *key {
                "$schema" | "$id" => DRAFTS,
                "format" => FORMATS,
                _ => NAMES,
            })?;
            *text += &format!(r#""{key}":"{value}""#);
        }
        6 => {
            *text += &format!(r#""{}":"#, choices.choose(ONE)?);
            schema(text, choices, depth)?;
        }
        7 | 8 => {
            *text += &format!(r#""{}":{{"#, choices.choose(NAMED)?);
            for end in [",", "}"] {
                *text += &format!(r#""{}":"#, choices.choose(NAMES)?);
                schema(text, choices, depth)?;
                text.push_str(end);
            }
        }
        _ => {
            *text += &format!(r#""{}":["#, choices.choose(SEVERAL)?);
            for at in 0..choices.int_in_range(1..=4)? {
                text.push_str(if at > 0 { "," } else { "" });
                schema(text, choices, depth)?;
            }
            text.push(']');
        }
    }
    Ok(())
}

fn value(text: &mut String, choices: &mut Unstructured<'_>, depth: u8) -> Result<()> {
    match choices.int_in_range(0..=2)? {
        0 if depth > 0 => {
            text.push_str("{\"a\":");
            value(text, choices, depth - 1)?;
            text.push_str(",\"b\":");
            value(text, choices, depth - 1)?;
            text.push('}');
        }
        1 if depth > 0 => {
            text.push('[');
            value(text, choices, depth - 1)?;
            text.push(',');
            value(text, choices, depth - 1)?;
            text.push(']');
        }
        _ => text.push_str(choices.choose(PLAIN)?),
    }
    Ok(())
}
