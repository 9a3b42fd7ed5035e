//! Keys of maps, and texts that are JSON already: where only a text may stand.

use serde::Serialize;
use serde::ser::{Error, Impossible, Serializer};

use super::escape::write_text;

type Fault = serde_json::Error;
type Never = Impossible<(), Fault>;

/// Writes what has to be a text.
pub(super) struct Key<'a> {
    out: &'a mut Vec<u8>,
    raw: Raw,
}

/// Whether the text is written as it is.
enum Raw {
    Yes,
    No,
}

impl<'a> Key<'a> {
    /// A key, in quotes. Numbers and truth values become texts.
    pub(super) fn quoted(out: &'a mut Vec<u8>) -> Self {
        Self { out, raw: Raw::No }
    }

    /// A text that is JSON already.
    pub(super) fn raw(out: &'a mut Vec<u8>) -> Self {
        Self { out, raw: Raw::Yes }
    }

    fn in_quotes<T: Serialize>(self, value: T) -> Result<(), Fault> {
        self.out.push(b'"');
        serde_json::to_writer(&mut *self.out, &value)?;
        self.out.push(b'"');
        Ok(())
    }
}

/// Appends JSON text. Where it has line breaks, which is between its tokens only, spaces do as well.
fn write_on_one_line(text: &[u8], out: &mut Vec<u8>) {
    let mut at = out.len();
    out.extend_from_slice(text);
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &out[at..]) {
        out[at + found] = b' ';
        at += found + 1;
    }
}

fn no_text() -> Fault {
    Fault::custom("key must be a string")
}

macro_rules! quoted {
    ($($method:ident: $kind:ty),* $(,)?) => { $(
        fn $method(self, value: $kind) -> Result<(), Fault> {
            self.in_quotes(value)
        }
    )* };
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    quoted!(
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
    );

    fn serialize_f32(self, value: f32) -> Result<(), Fault> {
        if value.is_finite() { self.in_quotes(value) } else { Err(no_text()) }
    }

    fn serialize_f64(self, value: f64) -> Result<(), Fault> {
        if value.is_finite() { self.in_quotes(value) } else { Err(no_text()) }
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        match self.raw {
            Raw::Yes => write_on_one_line(value.as_bytes(), self.out),
            Raw::No => write_text(value, self.out),
        }
        Ok(())
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<(), Fault> {
        Err(no_text())
    }

    fn serialize_none(self) -> Result<(), Fault> {
        Err(no_text())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Fault> {
        Err(no_text())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Fault> {
        Err(no_text())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Fault> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Fault> {
        Err(no_text())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_tuple(self, _length: usize) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Never, Fault> {
        Err(no_text())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Never, Fault> {
        Err(no_text())
    }
}
