//! A value that does not print.

use std::fmt;

use crate::REDACTED;

/// A value that must not be shown: no `Display`, no serialization, and `Debug` says `REDACTED`.
///
/// Call [`Secret::expose`] only where the value leaves the program on purpose: a header, an environment, a token
/// request, a credential store.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value from the moment it is read.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself.
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// Makes another secret from this one, such as `Bearer …` from a token.
    pub fn map<U>(&self, change: impl FnOnce(&T) -> U) -> Secret<U> {
        Secret(change(&self.0))
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}
