//! Ids keep their type and their size.

use codewhale_mcp_protocol::RequestId;

#[test]
fn an_id_is_a_string_or_an_integer() {
    for (text, expected) in [
        ("1", RequestId::Integer(1)),
        ("\"1\"", RequestId::String("1".into())),
        ("0", RequestId::Integer(0)),
        ("-7", RequestId::Integer(-7)),
        ("\"\"", RequestId::String(String::new())),
        ("\"\\u0061\\n\"", RequestId::String("a\n".into())),
        ("9007199254740993", RequestId::Integer(9_007_199_254_740_993)),
        ("18446744073709551615", RequestId::Integer(u64::MAX.into())),
        ("-9223372036854775809", RequestId::Integer(i128::from(i64::MIN) - 1)),
        ("170141183460469231731687303715884105727", RequestId::Integer(i128::MAX)),
    ] {
        let id: RequestId = serde_json::from_str(text).unwrap();
        assert_eq!(id, expected);
        let printed = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<RequestId>(&printed).unwrap(), expected, "{printed}");
        if !text.contains('\\') {
            assert_eq!(printed, text);
        }
    }
    assert_ne!(RequestId::from(1), RequestId::from("1"));
    assert_eq!(
        (RequestId::from(1).to_string(), RequestId::from("1").to_string()),
        ("1".into(), "\"1\"".into())
    );
}

#[test]
fn nothing_else_is_an_id() {
    for text in ["null", "1.5", "1.0", "1e3", "true", "[1]", "{}", "1701411834604692317316873037158841057280"]
    {
        assert!(serde_json::from_str::<RequestId>(text).is_err(), "{text}");
    }
}

#[test]
fn an_id_can_come_out_of_a_value_tree() {
    let id: RequestId = serde_json::from_value(serde_json::json!(7)).unwrap();
    assert_eq!((id, serde_json::to_value(RequestId::from("a")).unwrap()), (7.into(), "a".into()));
}
