//! A value kept as the text that came until somebody asks what it says.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Json;

/// A `T` as JSON text.
///
/// For what an object can do without (icons, annotations, `_meta`): a peer that gets it wrong spoils only this
/// member, nothing is decoded for nobody, and what is handed on is what came.
pub struct Verbatim<T>(Json, PhantomData<fn() -> T>);

impl<T> Verbatim<T> {
    /// The text, whatever it says.
    #[must_use]
    pub fn json(&self) -> &Json {
        &self.0
    }
}

impl<T: DeserializeOwned> Verbatim<T> {
    /// The value.
    ///
    /// # Errors
    /// When the text does not have the form of `T`.
    pub fn read(&self) -> Result<T, serde_json::Error> {
        self.0.decode()
    }
}

impl<T: Serialize> From<&T> for Verbatim<T> {
    /// # Panics
    /// When the value has no JSON form. Every wire type has one.
    fn from(value: &T) -> Self {
        Self(Json::encode(value).expect("wire types have a JSON form"), PhantomData)
    }
}

impl<T> From<Json> for Verbatim<T> {
    fn from(json: Json) -> Self {
        Self(json, PhantomData)
    }
}

impl<T> Clone for Verbatim<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<T> PartialEq for Verbatim<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Verbatim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Serialize for Verbatim<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Json::deserialize(deserializer).map(Self::from)
    }
}
