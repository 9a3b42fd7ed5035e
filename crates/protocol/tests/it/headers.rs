//! Values of HTTP headers, and the headers of tools' arguments.

use std::borrow::Cow;

use codewhale_mcp_protocol::header::{InvalidValue, decode_value, encode_value, is_session_id};
use codewhale_mcp_protocol::{
    HeaderArgumentFault, HeaderFault, HeaderMismatch, Json, ParameterType, SentHeader, ToolHeaders,
};
use proptest::prelude::*;

fn json(text: impl Into<String>) -> Json {
    Json::from_text(text).unwrap()
}

/// The headers of a schema with these properties.
fn of_properties(properties: &str) -> Result<ToolHeaders, HeaderFault> {
    ToolHeaders::of(&json(format!(r#"{{"type":"object","properties":{properties}}}"#)))
}

#[test]
fn a_value_is_plain_where_http_carries_it_and_encoded_elsewhere() {
    for (text, expected) in [
        ("us-west1", "us-west1"),
        ("", ""),
        ("a b  c", "a b  c"),
        ("~!\"=?", "~!\"=?"),
        ("file:///a%20b?c=d#e", "file:///a%20b?c=d#e"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        (" a", "=?base64?IGE=?="),
        ("a ", "=?base64?YSA=?="),
        ("\ta", "=?base64?CWE=?="),
        ("a\tb", "=?base64?YQli?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="),
        ("\0", "=?base64?AA==?="),
        ("\u{7f}", "=?base64?fw==?="),
        ("查询", "=?base64?5p+l6K+i?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
        ("=?BASE64?literal?=", "=?BASE64?literal?="),
        ("=?base64?literal", "=?base64?literal"),
    ] {
        assert_eq!(encode_value(text), expected, "{text:?}");
        assert_eq!(decode_value(expected).as_deref(), Ok(text), "{expected}");
    }
    assert!(matches!(encode_value("us-west1"), Cow::Borrowed(_)));
}

#[test]
fn a_value_that_is_marked_as_encoded_has_to_be() {
    for (value, expected) in [
        ("=?base64?literal?=", InvalidValue::NotBase64),
        ("=?base64?YQ?=", InvalidValue::NotBase64),
        ("=?base64?_-8=?=", InvalidValue::NotBase64),
        ("=?base64?/w==?=", InvalidValue::NotUtf8),
    ] {
        assert_eq!(decode_value(value), Err(expected), "{value}");
    }
    for value in ["=?Base64?YQ==?=", "=?base64?YQ==", "=?base64?="] {
        assert_eq!(decode_value(value).as_deref(), Ok(value));
    }
    assert_eq!(decode_value("=?base64??=").as_deref(), Ok(""));
}

proptest! {
    #[test]
    fn any_text_comes_back_and_no_control_character_leaves(text in any::<String>()) {
        let value = encode_value(&text);
        prop_assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{value:?}");
        prop_assert_eq!(value.trim(), &*value);
        let back = decode_value(&value);
        prop_assert_eq!(back.as_deref(), Ok(&*text));
    }
}

#[test]
fn a_session_id_is_visible_ascii() {
    for id in ["a", "1868a90c-7f", "!~", "a.b=c"] {
        assert!(is_session_id(id.as_bytes()), "{id}");
    }
    for id in ["", "a b", " a", "a\n", "a\0", "\u{7f}", "é"] {
        assert!(!is_session_id(id.as_bytes()), "{id:?}");
    }
}

#[test]
fn arguments_go_into_the_headers_that_their_schema_names() {
    let headers = of_properties(
        r#"{
        "region": {"type": "string", "x-mcp-header": "Region"},
        "method": {"type": "string", "x-mcp-header": "Method"},
        "limit": {"type": "integer", "x-mcp-header": "x-Limit_1"},
        "dry/~": {"type": "boolean", "x-mcp-header": "DRY"},
        "query": {"type": "string"},
        "where": {"type": "object", "properties": {
            "deep": {"properties": {"id": {"type": "string", "x-mcp-header": "Deep-Id"}}}}}}"#,
    )
    .unwrap();
    assert!(!headers.is_empty());
    for (arguments, expected) in [
        ("{}", &[][..]),
        (r#"{"query":"a"}"#, &[]),
        (r#"{"region":null,"where":null}"#, &[]),
        (r#"{"region":""}"#, &[("Mcp-Param-Region", "")]),
        (r#"{"region":"a\n\u4e16"}"#, &[("Mcp-Param-Region", "=?base64?YQrkuJY=?=")]),
        (r#"{"region":"a","region":"b"}"#, &[("Mcp-Param-Region", "b")]),
        (r#"{"r\u0065gion":"a"}"#, &[("Mcp-Param-Region", "a")]),
        (
            r#"{"limit": 5, "method": "m", "dry/~": false, "region": "r"}"#,
            &[
                ("Mcp-Param-Region", "r"),
                ("Mcp-Param-Method", "m"),
                ("Mcp-Param-x-Limit_1", "5"),
                ("Mcp-Param-DRY", "false"),
            ],
        ),
        (r#"{"where":{"deep":{"id":"7"}},"id":"8"}"#, &[("Mcp-Param-Deep-Id", "7")]),
        (r#"{"where":{"deep":"id"}}"#, &[]),
        (r#"{"where":{"deep":[{"id":"7"}]}}"#, &[]),
    ] {
        let values = headers.values(&json(arguments)).unwrap();
        let values: Vec<_> = values.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(values, expected, "{arguments}");
    }
}

#[test]
fn integers_in_headers_are_decimal_and_exact() {
    let headers = of_properties(r#"{"n": {"type": "integer", "x-mcp-header": "N"}}"#).unwrap();
    let out_of_range = || HeaderArgumentFault::OutOfRange { path: "/n".into() };
    let not_of_its_type =
        || HeaderArgumentFault::NotOfItsType { path: "/n".into(), expected: ParameterType::Integer };
    for (number, expected) in [
        ("42", Ok("42")),
        ("42.0", Ok("42")),
        ("4.2e1", Ok("42")),
        ("-7", Ok("-7")),
        ("-0", Ok("0")),
        ("-0.0", Ok("0")),
        ("9007199254740991", Ok("9007199254740991")),
        ("-9007199254740991", Ok("-9007199254740991")),
        ("9007199254740992", Err(out_of_range())),
        ("-9007199254740992", Err(out_of_range())),
        ("1e30", Err(out_of_range())),
        ("-1e400", Err(out_of_range())),
        ("170141183460469231731687303715884105728", Err(out_of_range())),
        ("1.5", Err(not_of_its_type())),
        ("\"42\"", Err(not_of_its_type())),
        ("true", Err(not_of_its_type())),
    ] {
        let values = headers.values(&json(format!(r#"{{"n":{number}}}"#)));
        let expected = expected.map(|text| vec![("Mcp-Param-N".to_owned(), text.to_owned())]);
        assert_eq!(values, expected, "{number}");
    }
}

#[test]
fn an_argument_of_another_type_is_refused_with_its_place() {
    let headers = of_properties(
        r#"{"s": {"type": "string", "x-mcp-header": "S"},
            "o": {"properties": {"a/b": {"type": "boolean", "x-mcp-header": "B"}}}}"#,
    )
    .unwrap();
    for (arguments, expected) in [
        (r#"{"s":1}"#, "`/s` goes into a header and must be a string"),
        (r#"{"s":["a"]}"#, "`/s` goes into a header and must be a string"),
        (r#"{"o":{"a/b":"true"}}"#, "`/o/a~1b` goes into a header and must be true or false"),
        (r#"{"o":{"a/b":0}}"#, "`/o/a~1b` goes into a header and must be true or false"),
    ] {
        let fault = headers.values(&json(arguments)).unwrap_err();
        assert_eq!(fault.to_string(), expected, "{arguments}");
    }
}

#[test]
fn a_tool_whose_annotations_are_wrong_is_refused_with_the_place() {
    for (property, expected) in [
        (r#"{"type":"string","x-mcp-header":1}"#, "at `/properties/p` is not a string"),
        (r#"{"type":"string","x-mcp-header":null}"#, "at `/properties/p` is not a string"),
        (r#"{"type":"string","x-mcp-header":""}"#, "at `/properties/p` is ``, which cannot be part"),
        (r#"{"type":"string","x-mcp-header":"a b"}"#, "is `a b`, which cannot be part"),
        (r#"{"type":"string","x-mcp-header":"a:b"}"#, "is `a:b`, which cannot be part"),
        (r#"{"type":"string","x-mcp-header":"a\r\nb"}"#, "which cannot be part"),
        (r#"{"type":"string","x-mcp-header":"é"}"#, "which cannot be part"),
        (r#"{"type":"string","x-mcp-h\u0065ader":"a b"}"#, "is `a b`, which cannot be part"),
        (r#"{"type":"number","x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"type":"object","x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"type":"array","x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"type":"null","x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"type":["string","null"],"x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"type":["string"],"x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
        (r#"{"enum":["a"],"x-mcp-header":"A"}"#, "stands on no string, integer or boolean"),
    ] {
        let fault = of_properties(&format!(r#"{{"p":{property}}}"#)).unwrap_err().to_string();
        assert!(fault.contains(expected), "{property}: {fault}");
    }
    let twice =
        r#"{"a":{"type":"string","x-mcp-header":"Same"},"b":{"type":"integer","x-mcp-header":"sAME"}}"#;
    let expected = HeaderFault::Repeated { place: "/properties/b".into(), name: "sAME".into() };
    assert_eq!(of_properties(twice), Err(expected));
}

#[test]
fn only_properties_lead_to_what_can_be_annotated() {
    let annotated = r#"{"type":"string","x-mcp-header":"A"}"#;
    for (schema, place) in [
        (r#"{"items":%}"#, "/items"),
        (r#"{"items":[%]}"#, "/items/0"),
        (r#"{"prefixItems":[true,%]}"#, "/prefixItems/1"),
        (r#"{"additionalProperties":%}"#, "/additionalProperties"),
        (r#"{"unevaluatedProperties":%}"#, "/unevaluatedProperties"),
        (r#"{"patternProperties":{"^a/":%}}"#, "/patternProperties/^a~1"),
        (r#"{"propertyNames":%}"#, "/propertyNames"),
        (r#"{"dependentSchemas":{"a":%}}"#, "/dependentSchemas/a"),
        (r#"{"contains":%}"#, "/contains"),
        (r#"{"oneOf":[%]}"#, "/oneOf/0"),
        (r#"{"anyOf":[{},{"properties":{"a":%}}]}"#, "/anyOf/1/properties/a"),
        (r#"{"allOf":[{"properties":{"a":%}}]}"#, "/allOf/0/properties/a"),
        (r#"{"not":%}"#, "/not"),
        (r#"{"if":%}"#, "/if"),
        (r#"{"then":{"properties":{"a":%}}}"#, "/then/properties/a"),
        (r#"{"else":%}"#, "/else"),
        (r##"{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":%}}"##, "/$defs/x"),
        (r#"{"definitions":{"x":%}}"#, "/definitions/x"),
        (r#"{"components":{"schemas":{"x":%}}}"#, "/components/schemas/x"),
        (r#"{"properties":{"a":{"items":%}}}"#, "/properties/a/items"),
        (r#"{"properties":{"default":{"oneOf":[%]}}}"#, "/properties/default/oneOf/0"),
        (r#"{"properties":{"properties":{"not":%}}}"#, "/properties/properties/not"),
        ("%", ""),
    ] {
        let fault = ToolHeaders::of(&json(schema.replace('%', annotated)));
        assert_eq!(fault, Err(HeaderFault::Unreachable { place: place.into() }), "{schema}");
    }
}

#[test]
fn properties_of_that_name_and_data_are_no_annotations() {
    for schema in [
        r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#,
        r#"{"patternProperties":{"x-mcp-header":{"type":"number"}}}"#,
        r#"{"$defs":{"x-mcp-header":true},"dependentRequired":{"x-mcp-header":["a"]}}"#,
        r#"{"default":{"x-mcp-header":1}}"#,
        r#"{"const":{"x-mcp-header":""}}"#,
        r#"{"enum":[{"x-mcp-header":1}]}"#,
        r#"{"examples":[{"a":{"x-mcp-header":[]}}]}"#,
        r#"{"description":"x-mcp-header","required":["x-mcp-header"]}"#,
        r#"{"properties":{"a":{"default":1e400,"title":"x-mcp-header"}}}"#,
        "true",
        "[]",
        "null",
        r#""x-mcp-header""#,
        r#"{"type":"object"}"#,
    ] {
        assert_eq!(ToolHeaders::of(&json(schema)), Ok(ToolHeaders::default()), "{schema}");
    }
    let named = r#"{"x-mcp-header":{"type":"string","x-mcp-header":"Header"},"properties":{"type":"boolean","x-mcp-header":"P"}}"#;
    let values = of_properties(named).unwrap().values(&json(r#"{"x-mcp-header":"a","properties":true}"#));
    let expected =
        [("Mcp-Param-Header".to_owned(), "a".to_owned()), ("Mcp-Param-P".to_owned(), "true".to_owned())];
    assert_eq!(values.unwrap(), expected);
}

#[test]
fn a_schema_costs_no_more_than_its_bounds() {
    let annotated = |at: usize| format!(r#""p{at}":{{"type":"string","x-mcp-header":"H{at}"}}"#);
    let several = |count| (0..count).map(annotated).collect::<Vec<_>>().join(",");
    assert!(of_properties(&format!("{{{}}}", several(100))).is_ok());
    assert_eq!(of_properties(&format!("{{{}}}", several(101))), Err(HeaderFault::TooMany { limit: 100 }));

    let nested = |levels: usize| {
        let inner = r#"{"type":"string","x-mcp-header":"H"}"#;
        format!("{}{inner}{}", r#"{"properties":{"a":"#.repeat(levels), "}}".repeat(levels))
    };
    assert!(ToolHeaders::of(&json(nested(32))).is_ok());
    assert_eq!(ToolHeaders::of(&json(nested(33))), Err(HeaderFault::TooDeep { limit: 64 }));
    let lists = format!(r#"{{"x-mcp-header":"H","not":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(ToolHeaders::of(&json(lists)).is_err());

    let large = |padding: &str| {
        let padding = padding.repeat((1 << 20) / padding.len() + 1);
        ToolHeaders::of(&json(format!(r#"{{"description":"{padding}","properties":{{{}}}}}"#, annotated(0))))
    };
    assert_eq!(large("a"), Err(HeaderFault::TooLarge { limit: 1 << 20 }));
    let without = json(format!(r#"{{"description":"{}"}}"#, "a".repeat(2 << 20)));
    assert_eq!(ToolHeaders::of(&without), Ok(ToolHeaders::default()));
    let unreadable = r#"{"x-mcp-header":"H","properties":{"\ud800":{}}}"#;
    assert!(ToolHeaders::of(&json(unreadable)).is_err());
}

#[test]
fn headers_that_came_have_to_say_what_the_arguments_say() {
    let headers = of_properties(
        r#"{"region":{"type":"string","x-mcp-header":"Region"},
            "count":{"type":"integer","x-mcp-header":"Count"},
            "dry":{"type":"boolean","x-mcp-header":"Dry"}}"#,
    );
    let headers = headers.unwrap();
    let header = |name: &str| format!("Mcp-Param-{name}");
    let different = |name| Err(HeaderMismatch::Different { header: header(name) });
    let missing = |name| Err(HeaderMismatch::Missing { header: header(name) });
    let unexpected = |name| Err(HeaderMismatch::Unexpected { header: header(name) });
    let unreadable = |name| Err(HeaderMismatch::Unreadable { header: header(name) });
    type Sent<'a> = &'a [(&'a str, &'a str)];
    let rows: &[(&str, Sent<'_>, Result<(), HeaderMismatch>)] = &[
        ("{}", &[], Ok(())),
        ("{}", &[("Mcp-Param-Other", "x")], Ok(())),
        (r#"{"region":null}"#, &[], Ok(())),
        (r#"{"region":null}"#, &[("Mcp-Param-Region", "null")], unexpected("Region")),
        ("{}", &[("Mcp-Param-Region", "")], unexpected("Region")),
        (r#"{"region":"us"}"#, &[("Mcp-Param-Region", "us")], Ok(())),
        (r#"{"region":"us"}"#, &[("Mcp-Param-Region", "=?base64?dXM=?=")], Ok(())),
        (r#"{"region":"us"}"#, &[], missing("Region")),
        (r#"{"region":"us"}"#, &[("Mcp-Param-Region", "US")], different("Region")),
        (r#"{"region":"us"}"#, &[("Mcp-Param-Region", "=?base64?dXM?=")], unreadable("Region")),
        (r#"{"region":"us"}"#, &[("Mcp-Param-Region", "!")], unreadable("Region")),
        (r#"{"region":"=?base64?dXM="}"#, &[("Mcp-Param-Region", "=?base64?dXM=")], Ok(())),
        (r#"{"count":42}"#, &[("Mcp-Param-Count", "42.0")], Ok(())),
        (r#"{"count":42.0}"#, &[("Mcp-Param-Count", "42")], Ok(())),
        (r#"{"count":42}"#, &[("Mcp-Param-Count", "43")], different("Count")),
        (r#"{"count":42}"#, &[("Mcp-Param-Count", "many")], different("Count")),
        (r#"{"dry":true}"#, &[("Mcp-Param-Dry", "true")], Ok(())),
        (r#"{"dry":true}"#, &[("Mcp-Param-Dry", "True")], different("Dry")),
    ];
    for (arguments, sent, expected) in rows {
        let find = |name: &str| {
            let found = sent.iter().find(|(key, _)| *key == name)?.1;
            Some(if found == "!" { SentHeader::Unreadable } else { SentHeader::Text(found) })
        };
        assert_eq!(headers.check(&json(*arguments), find), *expected, "{arguments} {sent:?}");
    }
    let wrong = headers.check(&json(r#"{"count":"42"}"#), |name| {
        (name == "Mcp-Param-Count").then_some(SentHeader::Text("42"))
    });
    assert!(matches!(wrong, Err(HeaderMismatch::Argument { .. })), "{wrong:?}");
}
