//! A JSON object that says everything once: of two members of one name nobody can say which one was meant.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};

/// Why a text is no such object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is no JSON, or no object.
    NoObject,
    /// A member is there twice, at any depth (RFC 6749, section 5.1, has each once).
    Twice,
}

/// Reads an object.
pub(crate) fn read(text: &[u8]) -> Result<Map<String, Value>, Flaw> {
    match serde_json::from_slice(text) {
        Ok(Once(Value::Object(members))) => Ok(members),
        Ok(_) => Err(Flaw::NoObject),
        // Any value is taken, so that nothing else can be wrong with what it says.
        Err(error) if error.classify() == Category::Data => Err(Flaw::Twice),
        Err(_) => Err(Flaw::NoObject),
    }
}

/// A value in which no member is there twice.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Once(item)) = items.next_element()? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some((name, Once(value))) = members.next_entry::<String, Once>()? {
            if all.insert(name, value).is_some() {
                return Err(A::Error::custom("a member is there twice"));
            }
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_says_everything_once() {
        let check = |text: &str, flaw| assert_eq!(read(text.as_bytes()).err(), flaw, "{text}");
        for text in ["{}", r#"{"a":1,"b":[{"a":-1},{"a":1.5e3}],"c":{"a":null,"b":true}}"#] {
            check(text, None);
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text.as_bytes()).map(Value::Object), Ok(value), "{text}");
        }
        check(r#"{"a":1,"a":1}"#, Some(Flaw::Twice));
        check(r#"{"a":1,"\u0061":2}"#, Some(Flaw::Twice));
        check(r#"{"b":[{"a":1,"c":2,"a":3}]}"#, Some(Flaw::Twice));
        for text in ["", "[]", "1", "a=b", "{", r#"{"a":1}x"#, r#"{"a":}"#] {
            check(text, Some(Flaw::NoObject));
        }
    }
}
