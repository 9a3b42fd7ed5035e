//! Arrays and objects.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::escape::write_name;
use super::key::Key;
use super::writer::Writer;

/// An array or object that is being written.
pub(crate) struct Compound<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
    end: End,
}

/// How it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Array,
    ArrayInVariant,
    Object,
    ObjectInVariant,
    /// It is no structure, but a text that is JSON already.
    Raw,
}

impl<'a> Compound<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, end: End) -> Self {
        Self { out, first: true, end }
    }

    #[inline]
    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), serde_json::Error> {
        self.comma();
        value.serialize(Writer { out: self.out })
    }

    #[inline(always)]
    fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), serde_json::Error> {
        if self.end == End::Raw {
            return value.serialize(Key::raw(self.out));
        }
        self.comma();
        write_name(name, self.out);
        value.serialize(Writer { out: self.out })
    }

    fn finish(self) {
        self.out.extend_from_slice(match self.end {
            End::Array => b"]",
            End::ArrayInVariant => b"]}",
            End::Object => b"}",
            End::ObjectInVariant => b"}}",
            End::Raw => b"",
        });
    }
}

macro_rules! elements {
    ($($form:ident: $method:ident),* $(,)?) => { $(
        impl $form for Compound<'_> {
            type Ok = ();
            type Error = serde_json::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Self::Error> {
                self.finish();
                Ok(())
            }
        }
    )* };
}

macro_rules! members {
    ($($form:ident),* $(,)?) => { $(
        impl $form for Compound<'_> {
            type Ok = ();
            type Error = serde_json::Error;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Self::Error> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Self::Error> {
                self.finish();
                Ok(())
            }
        }
    )* };
}

elements!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
);
members!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Self::Error> {
        self.comma();
        key.serialize(Key::quoted(self.out))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error> {
        self.out.push(b':');
        value.serialize(Writer { out: self.out })
    }

    fn end(self) -> Result<(), Self::Error> {
        self.finish();
        Ok(())
    }
}
