//! Values of every kind.

use serde::Serialize;
use serde::ser::Serializer;

use super::compound::{Compound, End};
use super::escape::write_text;

/// Appends a value as compact JSON on one line.
///
/// # Errors
/// When the value has no JSON form, such as a map whose keys are not texts. `out` may then end in part of it.
pub fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    value.serialize(Writer { out })
}

/// Writes one value.
pub(super) struct Writer<'a> {
    pub(super) out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    fn literal(self, text: &str) -> Result<(), serde_json::Error> {
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// What is neither text nor structure.
    fn plain<T: Serialize>(self, value: T) -> Result<(), serde_json::Error> {
        serde_json::to_writer(self.out, &value)
    }

    /// An object with one member, which `begin` writes the value of.
    fn variant(self, name: &str) -> Self {
        self.out.push(b'{');
        write_text(name, self.out);
        self.out.push(b':');
        self
    }

    fn array(self, end: End) -> Compound<'a> {
        self.out.push(b'[');
        Compound::new(self.out, end)
    }

    fn object(self, end: End) -> Compound<'a> {
        self.out.push(b'{');
        Compound::new(self.out, end)
    }
}

macro_rules! plain {
    ($($method:ident: $kind:ty),* $(,)?) => { $(
        fn $method(self, value: $kind) -> Result<(), Self::Error> {
            self.plain(value)
        }
    )* };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = serde_json::Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    plain!(
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
        serialize_f32: f32,
        serialize_f64: f64,
    );

    fn serialize_bool(self, value: bool) -> Result<(), Self::Error> {
        self.literal(if value { "true" } else { "false" })
    }

    fn serialize_char(self, value: char) -> Result<(), Self::Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Self::Error> {
        write_text(value, self.out);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Self::Error> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), Self::Error> {
        self.literal("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Self::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Self::Error> {
        self.literal("null")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Self::Error> {
        self.literal("null")
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Self::Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        let Self { out } = self.variant(variant);
        value.serialize(Writer { out })?;
        out.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Compound<'a>, Self::Error> {
        Ok(self.array(End::Array))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Compound<'a>, Self::Error> {
        Ok(self.array(End::Array))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>, Self::Error> {
        Ok(self.array(End::Array))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>, Self::Error> {
        Ok(self.variant(variant).array(End::ArrayInVariant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Compound<'a>, Self::Error> {
        Ok(self.object(End::Object))
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Compound<'a>, Self::Error> {
        if name == RAW {
            return Ok(Compound::new(self.out, End::Raw));
        }
        Ok(self.object(End::Object))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>, Self::Error> {
        Ok(self.variant(variant).object(End::ObjectInVariant))
    }
}

/// How `serde_json` names a text that is JSON already when it is written.
pub(crate) const RAW: &str = "$serde_json::private::RawValue";
