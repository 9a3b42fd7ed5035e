//! Forms: which schemas are one, and which answers fit.

use codewhale_mcp_protocol::{
    Choice, Json, Members, Property, PropertyKind, RequestedSchema, check_answer, with_defaults,
};
use serde_json::{Value, json};

fn form(properties: Value) -> Result<Vec<Property>, String> {
    let schema = json!({ "type": "object", "properties": properties });
    let schema: RequestedSchema = serde_json::from_value(schema).map_err(|error| error.to_string())?;
    schema.form().map_err(|error| error.to_string())
}

fn one(property: Value) -> Property {
    form(json!({ "p": property })).unwrap().remove(0)
}

#[test]
fn every_kind_of_field_is_known() {
    let choice =
        |value: &str, title: Option<&str>| Choice { value: value.into(), title: title.map(Into::into) };
    let plain = vec![choice("a", None), choice("b", None)];
    let titled = vec![choice("a", Some("A")), choice("b", Some("B"))];
    let titles = json!([{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }]);
    let single =
        |choices: &Vec<Choice>| PropertyKind::SingleSelect { choices: choices.clone(), default: None };
    let multi = |choices: &Vec<Choice>| PropertyKind::MultiSelect {
        choices: choices.clone(),
        min_items: Some(1),
        max_items: Some(2),
        default: Some(vec!["b".into()]),
    };
    for (schema, kind) in [
        (
            json!({ "type": "string", "minLength": 1.0, "maxLength": 5, "format": "email", "default": "a@b" }),
            PropertyKind::String {
                min_length: Some(1),
                max_length: Some(5),
                format: Some("email".into()),
                default: Some("a@b".into()),
            },
        ),
        (
            json!({ "type": "number", "minimum": 0.5, "maximum": 9, "default": 1 }),
            PropertyKind::Number {
                integer: false,
                minimum: serde_json::Number::from_f64(0.5),
                maximum: Some(9.into()),
                default: Some(1.into()),
            },
        ),
        (
            json!({ "type": "integer" }),
            PropertyKind::Number { integer: true, minimum: None, maximum: None, default: None },
        ),
        (json!({ "type": "boolean", "default": false }), PropertyKind::Boolean { default: Some(false) }),
        (json!({ "type": "boolean", "default": null }), PropertyKind::Boolean { default: None }),
        (json!({ "type": "string", "enum": ["a", "b"] }), single(&plain)),
        (json!({ "enum": ["a", "b"] }), single(&plain)),
        (json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] }), single(&titled)),
        (json!({ "type": "string", "oneOf": titles }), single(&titled)),
        (
            json!({ "type": "array", "items": { "type": "string", "enum": ["a", "b"] }, "minItems": 1, "maxItems": 2,
                "default": ["b"] }),
            multi(&plain),
        ),
        (
            json!({ "type": "array", "items": { "anyOf": titles }, "minItems": 1, "maxItems": 2, "default": ["b"] }),
            multi(&titled),
        ),
    ] {
        assert_eq!(one(schema.clone()).kind, kind, "{schema}");
    }
}

#[test]
fn what_is_no_form_is_refused_with_its_reason() {
    for (property, reason) in [
        (json!({ "type": "object" }), "is of type \"object\", which forms do not have"),
        (json!({}), "is of type \"\", which forms do not have"),
        (json!({ "type": "string", "enum": [] }), "has no values to choose from"),
        (json!({ "type": "array" }), "has no values to choose from"),
        (json!({ "type": "array", "items": { "type": "number" } }), "has no values to choose from"),
        (json!({ "type": "string", "minLength": -1 }), "has an impossible minLength"),
        (json!({ "type": "string", "maxLength": 1.5 }), "has an impossible maxLength"),
        (json!({ "type": "string", "minLength": 2, "maxLength": 1 }), "has an impossible maxLength"),
        (json!({ "type": "number", "minimum": 2, "maximum": 1 }), "has an impossible maximum"),
        (json!({ "type": "string", "default": 1 }), "does not fit it"),
        (json!({ "type": "integer", "default": 1.5 }), "does not fit it"),
        (json!({ "type": "string", "enum": ["a"], "default": "b" }), "does not fit it"),
        (json!({ "type": "array", "items": { "enum": ["a"] }, "default": ["b"] }), "does not fit it"),
        (json!({ "type": ["string", "null"] }), "expected a PropertyType string"),
        (json!({ "type": "string", "enum": [1] }), "expected a string"),
    ] {
        let error = form(json!({ "p": property })).unwrap_err();
        assert!(error.contains(reason), "{property}: {error}");
    }
    let read = |schema: Value| serde_json::from_value::<RequestedSchema>(schema).unwrap().form();
    assert!(read(json!({ "type": "array", "properties": {} })).is_err());
    assert!(read(json!({ "type": "object", "properties": {}, "required": ["x"] })).is_err());
    assert_eq!(read(json!({ "type": "object", "properties": {} })), Ok(vec![]));
}

#[test]
fn an_answer_fits_or_says_why_not() {
    for (property, fits, does_not) in [
        (json!({ "type": "boolean" }), vec![json!(true)], vec![json!("true"), json!(null), json!(1)]),
        (
            json!({ "type": "integer", "minimum": 1, "maximum": 3 }),
            vec![json!(1), json!(3.0)],
            vec![json!(0), json!(4), json!(1.5), json!("1")],
        ),
        (json!({ "type": "number" }), vec![json!(-0.5)], vec![json!([1])]),
        (
            json!({ "type": "string", "minLength": 2, "maxLength": 2 }),
            vec![json!("éé")],
            vec![json!("e"), json!("eee"), json!(22)],
        ),
        (
            json!({ "type": "string", "format": "email" }),
            vec![json!("a.b+c@d.example")],
            vec![json!("a"), json!("@b"), json!("a@"), json!("a b@c"), json!("a@b.")],
        ),
        (
            json!({ "type": "string", "format": "uri" }),
            vec![json!("https://a/b?c#d"), json!("urn:x:y")],
            vec![json!("a/b"), json!("1a:b"), json!("a:"), json!("https://a b")],
        ),
        (
            json!({ "type": "string", "format": "date" }),
            vec![json!("2024-02-29"), json!("2026-12-31")],
            vec![
                json!("2026-02-29"),
                json!("2100-02-29"),
                json!("2026-13-01"),
                json!("2026-04-31"),
                json!("2026-1-1"),
                json!("2026-01-00"),
            ],
        ),
        (
            json!({ "type": "string", "format": "date-time" }),
            vec![json!("2026-07-28T23:59:60Z"), json!("2026-07-28t00:00:00.123+02:00")],
            vec![
                json!("2026-07-28"),
                json!("2026-07-28T24:00:00Z"),
                json!("2026-07-28T00:00:00"),
                json!("2026-07-28T00:00:00.Z"),
                json!("2026-07-28T00:60:00Z"),
                json!("2026-07-28T00:00:00+25:00"),
                json!("é026-07-28T00:00:00Z"),
            ],
        ),
        (json!({ "type": "string", "format": "hostname" }), vec![json!("anything goes")], vec![json!(0)]),
        (json!({ "type": "string", "enum": ["a", "b"] }), vec![json!("b")], vec![json!("c"), json!(["a"])]),
        (
            json!({ "type": "array", "items": { "enum": ["a", "b", "c"] }, "minItems": 1, "maxItems": 2 }),
            vec![json!(["a"]), json!(["c", "a"])],
            vec![json!([]), json!(["a", "b", "c"]), json!(["d"]), json!(["a", "a"]), json!("a"), json!([1])],
        ),
    ] {
        let property = one(property);
        for value in fits {
            assert_eq!(property.fits(&Json::from(value.clone())), Ok(()), "{property:?} {value}");
        }
        for value in does_not {
            assert!(property.fits(&Json::from(value.clone())).is_err(), "{property:?} {value}");
        }
    }
}

#[test]
fn a_whole_answer_has_what_is_required_and_nothing_else() {
    let schema = json!({ "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string", "default": "me" },
        "age": { "type": "integer", "minimum": 18 },
    } });
    let form = serde_json::from_value::<RequestedSchema>(schema).unwrap().form().unwrap();
    let check = |content: Value| {
        let content: Members<Json> = serde_json::from_value(content).unwrap();
        check_answer(&form, &content).map_err(|error| error.to_string())
    };
    assert_eq!(check(json!({ "name": "n" })), Ok(()));
    assert_eq!(check(json!({ "age": 20 })), Err("\"name\" has to be filled in".into()));
    assert_eq!(check(json!({ "name": "n", "age": 17 })), Err("\"age\" is out of range".into()));
    assert_eq!(check(json!({ "name": "n", "x": 1 })), Err("there is no field \"x\"".into()));
}

#[test]
fn fields_that_are_left_alone_are_answered_with_their_defaults() {
    let schema = json!({ "type": "object", "properties": {
        "name": { "type": "string", "default": "me" },
        "age": { "type": "integer" },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["on", "off"], "default": "off" },
        "verified": { "type": "boolean", "default": false },
    } });
    let form = serde_json::from_value::<RequestedSchema>(schema).unwrap().form().unwrap();
    let answered = |filled_in: Value| {
        let filled_in: Members<Json> = serde_json::from_value(filled_in).unwrap();
        let answer = with_defaults(&form, filled_in);
        assert_eq!(check_answer(&form, &answer), Ok(()));
        serde_json::from_str::<Value>(&serde_json::to_string(&answer).unwrap()).unwrap()
    };
    let all = json!({ "name": "me", "score": 95.5, "status": "off", "verified": false });
    assert_eq!(answered(json!({})), all);
    let some = json!({ "name": "you", "age": 8, "score": 95.5, "status": "off", "verified": true });
    assert_eq!(answered(json!({ "name": "you", "age": 8, "verified": true })), some);
}
