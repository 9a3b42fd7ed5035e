//! Objects that keep the members they do not know.
//!
//! `open_object!` writes a struct with its `Serialize` and `Deserialize`. Serde's own `flatten` cannot do it:
//! it buffers the whole object and fails with raw values.
//!
//! Each member is one of:
//! - `required`: decoding fails without it.
//! - `optional`: an `Option`; `null` counts as absent.
//! - `hint`: an optional flag; a value that is no flag counts as absent.
//! - `nullable`: an `Option`; `null` is a value.
//! - `defaulted`: absent or `null` is the default, which is not written.
//! - `always`: absent or `null` is the default, which is written: peers forget it, the specification does not.
//!
//! A struct may have one `group`: a box of members that most objects of the type lack.
//! `member_group!` writes the type of such a box.

macro_rules! open_object {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$fmeta:meta])* $kind:ident $field:ident: $ty:ty = $wire:literal, )*
        }
        $( $(#[$gmeta:meta])* group $group:ident: $gty:ident; )?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $( $(#[$fmeta])* pub $field: $crate::open::field_type!($kind $ty), )*
            $( $(#[$gmeta])* pub $group: Option<Box<$gty>>, )?
            /// Members that this type does not name.
            pub extra: $crate::Extra,
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[expect(non_camel_case_types, reason = "a variant a member, under the member's name")]
                enum Key { $($field,)* Unnamed(Box<str>) }

                impl<'de> serde::Deserialize<'de> for Key {
                    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                        struct KeyVisitor;
                        impl serde::de::Visitor<'_> for KeyVisitor {
                            type Value = Key;
                            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                                f.write_str("a member name")
                            }
                            fn visit_str<E>(self, name: &str) -> Result<Key, E> {
                                Ok(match name {
                                    $($wire => Key::$field,)*
                                    _ => Key::Unnamed(name.into()),
                                })
                            }
                        }
                        deserializer.deserialize_identifier(KeyVisitor)
                    }
                }

                struct ObjectVisitor;
                impl<'de> serde::de::Visitor<'de> for ObjectVisitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a ", stringify!($name), " object"))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        $( let mut $field: Option<$ty> = None; )*
                        $( let mut $group: Option<Box<$gty>> = None; )?
                        let mut extra = $crate::Extra::default();
                        while let Some(key) = map.next_key::<Key>()? {
                            match key {
                                $( Key::$field => $field = $crate::open::read_field!($kind $ty, map), )*
                                Key::Unnamed(name) => {
                                    $( if $gty::read(&mut $group, &name, &mut map)? { continue; } )?
                                    extra.push(name, map.next_value()?);
                                }
                            }
                        }
                        Ok($name {
                            $( $field: $crate::open::finish_field!($kind $wire, $field), )*
                            $( $group, )?
                            extra,
                        })
                    }
                }
                deserializer.deserialize_map(ObjectVisitor)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $( $crate::open::write_field!($kind $wire, $ty, &self.$field, map); )*
                $( if let Some(group) = &self.$group { group.write(&mut map)?; } )?
                for (name, value) in self.extra.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    };
}

macro_rules! member_group {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$fmeta:meta])* $kind:ident $field:ident: $ty:ty = $wire:literal, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $( $(#[$fmeta])* pub $field: $crate::open::field_type!($kind $ty), )*
        }

        impl $name {
            /// Takes a member if it is one of the group's, and says whether it is.
            fn read<'de, A: serde::de::MapAccess<'de>>(
                group: &mut Option<Box<Self>>,
                name: &str,
                map: &mut A,
            ) -> Result<bool, A::Error> {
                match name {
                    $( $wire => {
                        if let Some(value) = $crate::open::read_field!($kind $ty, map) {
                            group.get_or_insert_default().$field = Some(value);
                        }
                    } )*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( $crate::open::write_field!($kind $wire, $ty, &self.$field, map); )*
                Ok(())
            }
        }
    };
}

macro_rules! field_type {
    (hint $ty:ty) => { Option<$ty> };
    (required $ty:ty) => { $ty };
    (defaulted $ty:ty) => { $ty };
    (always $ty:ty) => { $ty };
    (optional $ty:ty) => { Option<$ty> };
    (nullable $ty:ty) => { Option<$ty> };
}

/// A flag that may be of any form; one that is no flag counts as absent.
pub(crate) struct Hint(pub(crate) Option<bool>);

impl<'de> serde::Deserialize<'de> for Hint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Looks at the text of a value, which is handed on as the only member of an object.
        struct TextVisitor;

        impl<'de> serde::de::Visitor<'de> for TextVisitor {
            type Value = Hint;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("any value")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Hint, A::Error> {
                map.next_key::<serde::de::IgnoredAny>()?;
                map.next_value_seed(self)
            }
            fn visit_str<E>(self, text: &str) -> Result<Hint, E> {
                Ok(Hint(text.parse().ok()))
            }
        }

        impl<'de> serde::de::DeserializeSeed<'de> for TextVisitor {
            type Value = Hint;
            fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Hint, D::Error> {
                deserializer.deserialize_str(self)
            }
        }

        deserializer.deserialize_newtype_struct(crate::encode::RAW, TextVisitor)
    }
}

macro_rules! read_field {
    (hint $ty:ty, $map:ident) => {
        $map.next_value::<$crate::open::Hint>()?.0
    };
    (required $ty:ty, $map:ident) => {
        Some($map.next_value::<$ty>()?)
    };
    (nullable $ty:ty, $map:ident) => {
        Some($map.next_value::<$ty>()?)
    };
    ($kind:ident $ty:ty, $map:ident) => {
        $map.next_value::<Option<$ty>>()?
    };
}

macro_rules! finish_field {
    (required $wire:literal, $field:ident) => {
        $field.ok_or_else(|| serde::de::Error::missing_field($wire))?
    };
    (defaulted $wire:literal, $field:ident) => {
        $field.unwrap_or_default()
    };
    (always $wire:literal, $field:ident) => {
        $field.unwrap_or_default()
    };
    ($kind:ident $wire:literal, $field:ident) => {
        $field
    };
}

macro_rules! write_field {
    (required $wire:literal, $ty:ty, $value:expr, $map:ident) => {
        $map.serialize_entry($wire, $value)?
    };
    (always $wire:literal, $ty:ty, $value:expr, $map:ident) => {
        $map.serialize_entry($wire, $value)?
    };
    (defaulted $wire:literal, $ty:ty, $value:expr, $map:ident) => {
        if *$value != <$ty>::default() {
            $map.serialize_entry($wire, $value)?;
        }
    };
    ($kind:ident $wire:literal, $ty:ty, $value:expr, $map:ident) => {
        if let Some(value) = $value {
            $map.serialize_entry($wire, value)?;
        }
    };
}

pub(crate) use {field_type, finish_field, member_group, open_object, read_field, write_field};
