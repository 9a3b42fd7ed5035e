//! The environment, as an argument.

use std::ffi::OsString;

/// Looks up environment variables. Any `Fn(&str) -> Option<OsString>` is one.
pub trait Environment {
    /// The value of a variable, if it is set.
    fn variable(&self, name: &str) -> Option<OsString>;
}

impl<F: Fn(&str) -> Option<OsString>> Environment for F {
    fn variable(&self, name: &str) -> Option<OsString> {
        self(name)
    }
}
