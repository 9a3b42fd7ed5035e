//! Values out of JSON text, by serde.

use std::borrow::Cow;
use std::fmt;
use std::iter;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use super::cursor::{Cursor, Other};
use crate::encode::RAW;

/// Arrays and objects may be so many in one another; `serde_json` takes twice as many.
const DEEPEST: u8 = 60;

/// Reads a JSON text as `serde_json::from_str` does, and quicker where most of it is text or raw values.
///
/// # Errors
/// Those of that crate.
pub fn read_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, serde_json::Error> {
    quick(text).map_or_else(|| serde_json::from_str(text), Ok)
}

/// The value that a text is, if it can be read here.
pub(super) fn quick<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let mut reader = Reader { cursor: Cursor::new(text), deepest: DEEPEST };
    let value = T::deserialize(&mut reader).ok()?;
    reader.cursor.is_at_end().then_some(value)
}

struct Reader<'de> {
    cursor: Cursor<'de>,
    /// How many arrays and objects may begin in the one that is being read.
    deepest: u8,
}

impl<'de> Reader<'de> {
    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Other> {
        self.cursor.pass(b'{')?;
        self.deepest = self.deepest.checked_sub(1).ok_or(Other)?;
        let value = visitor.visit_map(Inside { reader: self, is_first: true })?;
        self.deepest += 1;
        self.cursor.pass(b'}')?;
        Ok(value)
    }

    fn array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Other> {
        self.cursor.pass(b'[')?;
        self.deepest = self.deepest.checked_sub(1).ok_or(Other)?;
        let value = visitor.visit_seq(Inside { reader: self, is_first: true })?;
        self.deepest += 1;
        self.cursor.pass(b']')?;
        Ok(value)
    }

    fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Other> {
        match self.cursor.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn boolean<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Other> {
        let value = self.cursor.peek()? == b't';
        self.cursor.literal(if value { "true" } else { "false" })?;
        visitor.visit_bool(value)
    }
}

/// What is within an array or an object.
struct Inside<'a, 'de> {
    reader: &'a mut Reader<'de>,
    is_first: bool,
}

impl Inside<'_, '_> {
    fn goes_on(&mut self, end: u8) -> Result<bool, Other> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        self.reader.cursor.next_of(end, is_first)
    }
}

impl<'de> MapAccess<'de> for Inside<'_, 'de> {
    type Error = Other;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Other> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        match self.reader.cursor.string()? {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            Cow::Owned(name) => seed.deserialize(name.into_deserializer()).map(Some),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Other> {
        self.reader.cursor.pass(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, 'de> {
    type Error = Other;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Other> {
        if !self.goes_on(b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// What is not read here, and how `serde_json` reads it: it is given that value alone.
macro_rules! left {
    ($($method:ident($($argument:ident: $kind:ty),*)),* $(,)?) => { $(
        fn $method<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, Other> {
            let text = self.cursor.value(self.deepest)?;
            serde_json::Deserializer::from_str(text).$method($($argument,)* visitor).map_err(|_| Other)
        }
    )* };
}

/// What is read in the same way whatever is expected: the visitor knows what it takes.
macro_rules! same {
    ($($method:ident = $way:ident),* $(,)?) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
            self.$way(visitor)
        }
    )* };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Other;

    same!(
        deserialize_bool = boolean,
        deserialize_str = string,
        deserialize_string = string,
        deserialize_identifier = string,
        deserialize_map = object,
        deserialize_seq = array,
    );

    left!(
        deserialize_i8(),
        deserialize_i16(),
        deserialize_i32(),
        deserialize_i64(),
        deserialize_i128(),
        deserialize_u8(),
        deserialize_u16(),
        deserialize_u32(),
        deserialize_u64(),
        deserialize_u128(),
        deserialize_f32(),
        deserialize_f64(),
        deserialize_char(),
        deserialize_bytes(),
        deserialize_byte_buf(),
        deserialize_unit(),
        deserialize_unit_struct(name: &'static str),
        deserialize_tuple(length: usize),
        deserialize_tuple_struct(name: &'static str, length: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    );

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        match self.cursor.peek()? {
            b'"' => self.string(visitor),
            b'{' => self.object(visitor),
            b'[' => self.array(visitor),
            b't' | b'f' => self.boolean(visitor),
            b'n' => {
                self.cursor.literal("null")?;
                visitor.visit_unit()
            }
            _ => {
                let number = self.cursor.value(self.deepest)?;
                serde_json::Deserializer::from_str(number).deserialize_any(visitor).map_err(|_| Other)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        if self.cursor.peek()? != b'n' {
            return visitor.visit_some(self);
        }
        self.cursor.literal("null")?;
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Other> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        let text = BorrowedStrDeserializer::new(self.cursor.value(self.deepest)?);
        visitor.visit_map(MapDeserializer::new(iter::once((RAW, text))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Other> {
        self.object(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        self.cursor.value(self.deepest)?;
        visitor.visit_unit()
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not read here")
    }
}

impl std::error::Error for Other {}

impl de::Error for Other {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::prelude::*;
    use serde::de::IgnoredAny;
    use serde_json::Value;

    use super::*;
    use crate::{CallToolResult, Json, ListToolsResult, Members, Task};

    #[track_caller]
    fn check<T: for<'de> Deserialize<'de> + PartialEq + Debug>(text: &str) {
        assert_eq!(quick::<T>(text), serde_json::from_str(text).ok(), "{text}");
    }

    /// Read where `serde_json` reads it, as the same.
    #[track_caller]
    fn check_all(text: &str) {
        check::<Value>(text);
        check::<Json>(text);
        check::<Members<Json>>(text);
        check::<Option<Vec<bool>>>(text);
        check::<String>(text);
        check::<f64>(text);
        check::<IgnoredAny>(text);
    }

    #[test]
    fn what_is_read_is_what_serde_json_reads() {
        for text in [
            " { \"a\" : [ 1 , -0.5e+3,true ,null ], \"a\":\"\\u00e9\\ud83d\\udc0b\\\"\\\\\\/\\b\\f\\n\\r\\t\" }\r\n",
            "[true,false]",
            "[true,false,]",
            "[,true]",
            "{,}",
            r#"{"a":1,}"#,
            r#"{"a" 1}"#,
            r#"{"a":1 "b":2}"#,
            r#""\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\udc0b\ud83d""#,
            r#""\u+123""#,
            r#""\x""#,
            "\"a\tb\"",
            "\"open",
            "\"\\",
            "01",
            "-",
            "1.",
            "1e",
            "1e999",
            "nul",
            "nulll",
            "1 2",
            "",
            " ",
        ] {
            check_all(text);
        }
    }

    #[test]
    fn the_types_of_large_results_are_read() {
        check::<CallToolResult>(
            r#"{"content":[{"type":"text","text":"a\"b","x":[1]},{"type":"new","_meta":{}}],"isError":false,
                "structuredContent":{"n":1.0}}"#,
        );
        check::<ListToolsResult>(
            r#"{"tools":[{"name":"a","title":null,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":1}}],
                "nextCursor":"2","ttlMs":5}"#,
        );
        check::<Task>(r#"{"taskId":"1","status":"working","ttl":60000,"createdAt":"x","lastUpdatedAt":"y"}"#);
        assert_eq!(quick::<&serde_json::value::RawValue>(" [1 ] ").map(|raw| raw.get()), Some("[1 ]"));
    }

    #[test]
    fn depth_is_left_to_serde_json() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(quick::<Value>(&nested(usize::from(DEEPEST))).is_some());
        assert!(quick::<Value>(&nested(usize::from(DEEPEST) + 1)).is_none());
        assert!(quick::<IgnoredAny>(&nested(100_000)).is_none());
    }

    fn documents() -> impl Strategy<Value = String> {
        let string = r#"("([a-z é\t]|\\["\\/bfnrtu]|\\u[0-9a-fA-F]{4}|\\ud83d\\udc0b){0,20}")"#;
        let leaf = prop_oneof![
            Just("true".to_owned()),
            Just("null".to_owned()),
            "-?[0-9]{1,3}(\\.[0-9]{1,2})?([eE][+-]?[0-9])?",
            string,
            any::<String>().prop_map(|text| Value::from(text).to_string()),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6)
                    .prop_map(|items| format!("[{}]", items.join(" , "))),
                prop::collection::vec(("\"[a-z\\\\n]{0,9}\"", inner), 0..6).prop_map(|members| {
                    let members = members.into_iter().map(|(name, value)| format!("{name}: {value}"));
                    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_text_is_read_alike(
            document in documents(),
            at in any::<prop::sample::Index>(),
            other in prop::option::of("[]\\[{}\",:\\\\0-9eE.+nu \u{1}\n-]{0,2}"),
        ) {
            let mut text = document;
            if let Some(other) = other {
                let at = text.ceil_char_boundary(at.index(text.len()));
                let end = text.ceil_char_boundary((at + 1).min(text.len()));
                text.replace_range(at..end, &other);
            }
            check_all(&text);
        }
    }
}
