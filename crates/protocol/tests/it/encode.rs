//! What is written is what `serde_json` writes, byte for byte.

use std::collections::BTreeMap;

use codewhale_mcp_protocol::{Json, write_json};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn check<T: Serialize + ?Sized>(value: &T) {
    let mut ours = b"before".to_vec();
    let written = write_json(value, &mut ours);
    match serde_json::to_vec(value) {
        Ok(theirs) => {
            written.expect("it has a JSON form");
            let ours = String::from_utf8_lossy(&ours[6..]).into_owned();
            assert_eq!(ours, String::from_utf8_lossy(&theirs));
        }
        Err(error) => assert_eq!(written.expect_err("it has none").to_string(), error.to_string()),
    }
}

#[derive(Serialize)]
struct Members<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u8>,
    null: Option<u8>,
    list: (i8, f64, char),
    #[serde(flatten)]
    more: BTreeMap<&'a str, Value>,
}

#[derive(Serialize)]
enum Variants {
    Unit,
    Newtype(u64),
    Tuple(bool, i128),
    Struct { member: f32 },
}

#[derive(Serialize)]
struct Wrapped(Unit);

#[derive(Serialize)]
struct Unit;

#[test]
fn every_kind_of_value_is_written_alike() {
    let more = BTreeMap::from([("more", json!([1, {"a": "\u{7f}\u{2028}"}]))]);
    check(&Members { text: "a\"b\\c\n\u{1}é", absent: None, null: None, list: (-1, 1.0, '"'), more });
    for variant in [
        Variants::Unit,
        Variants::Newtype(u64::MAX),
        Variants::Tuple(true, -7),
        Variants::Struct { member: 0.1 },
    ] {
        check(&variant);
    }
    check(&Wrapped(Unit));
    check(&[f64::NAN, f64::INFINITY, 1e300, -0.0, 5.0]);
    check(&[f32::MIN_POSITIVE]);
    check(&Vec::<u8>::new());
    check(&BTreeMap::<u8, u8>::new());
    check(&json!({"empty": {}, "none": [], "deep": [[[{"x": null}]]]}));
}

#[test]
fn text_that_is_json_already_stays_as_it_is() {
    let raw = RawValue::from_string("{ \"spaces\" : [1.50,  2e5] }".into()).unwrap();
    check(&json!("beside"));
    check(&[&raw, &raw]);
    check(&BTreeMap::from([("member", &raw)]));
    check(&Json::from_text("\"\\u00e9\"").unwrap());
}

#[test]
fn it_stays_on_one_line() {
    let raw = RawValue::from_string("{\r\n  \"a\": [1,\n\n2, \"\\n\"]\n}".into()).unwrap();
    let mut written = Vec::new();
    write_json(&[raw], &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), "[{    \"a\": [1,  2, \"\\n\"] }]");
}

#[test]
fn keys_are_texts_or_become_them() {
    check(&BTreeMap::from([(1_u64, 'a'), (2, 'b')]));
    check(&BTreeMap::from([(-1_i8, true)]));
    check(&BTreeMap::from([(true, ())]));
    check(&BTreeMap::from([('"', 0)]));
    check(&BTreeMap::from([(Some("some"), 0)]));
    check(&BTreeMap::from([(None::<&str>, 0)]));
    check(&BTreeMap::from([((1, 2), 0)]));
    check(&BTreeMap::from([([1], 0)]));
    check(&BTreeMap::from([((), 0)]));
}

#[test]
fn each_byte_is_escaped_at_each_place_of_a_word() {
    for character in (0..=0x100).filter_map(char::from_u32) {
        for before in 0..17 {
            check(&format!("{}{character}{}", "x".repeat(before), "\u{80}y\"z"));
        }
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[ -~\n\t\u{0}-\u{1f}\"\\\\]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_written_alike(value in values()) {
        check(&value);
    }
}
