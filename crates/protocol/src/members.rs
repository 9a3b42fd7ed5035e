//! Named values in the order they came.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Json;

/// A JSON object whose member names are the peer's: prompt arguments, input requests, properties.
///
/// The order is the one on the wire. A name that comes twice is kept twice, and [`member`](Self::member) finds
/// the first.
#[derive(Clone, PartialEq)]
pub struct Members<T>(
    #[expect(clippy::box_collection, reason = "most objects have none, and hold one word instead of three")]
    Option<Box<Vec<Named<T>>>>,
);

type Named<T> = (Box<str>, T);

/// The members of an object that its type does not name, in the order they came.
pub type Extra = Members<Json>;

impl<T> Members<T> {
    /// The value of the member with this name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&T> {
        self.as_slice().iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    /// Every member, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.as_slice().iter().map(|(name, value)| (&**name, value))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Adds a member behind the others. The caller sees to it that the object has no other of this name.
    pub fn push(&mut self, name: impl Into<Box<str>>, value: T) {
        self.0.get_or_insert_default().push((name.into(), value));
    }

    fn as_slice(&self) -> &[Named<T>] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T> Default for Members<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: fmt::Debug> fmt::Debug for Members<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: Into<Box<str>>, T> FromIterator<(N, T)> for Members<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(members: I) -> Self {
        let members: Vec<_> = members.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self((!members.is_empty()).then(|| Box::new(members)))
    }
}

impl<T> IntoIterator for Members<T> {
    type Item = Named<T>;
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(|members| *members).unwrap_or_default().into_iter()
    }
}

impl<T: Serialize> Serialize for Members<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor<T>(PhantomData<fn() -> T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for MembersVisitor<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<T>, A::Error> {
                let mut members = Members::default();
                while let Some((name, value)) = map.next_entry::<Box<str>, T>()? {
                    members.push(name, value);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}
