//! Log messages of a server. Deprecated in 2026-07-28 and still in use.

use std::cmp::Ordering;

use crate::open::open_object;
use crate::word::open_word;
use crate::{Json, Meta};

open_word! {
    /// How bad something is, as in syslog (RFC 5424; MCP 2026-07-28, server/utilities/logging).
    ///
    /// Levels are ordered, the worst last. An unknown one is neither better nor worse than any other.
    pub enum LoggingLevel {
        /// For whoever looks for a fault.
        Debug = "debug",
        /// Something happened as it should.
        Info = "info",
        /// Something worth knowing happened.
        Notice = "notice",
        /// Something is odd.
        Warning = "warning",
        /// Something failed.
        Error = "error",
        /// A part failed.
        Critical = "critical",
        /// Somebody has to act at once.
        Alert = "alert",
        /// Nothing works.
        Emergency = "emergency",
    }
}

impl LoggingLevel {
    /// From 0, `debug`, to 7, `emergency`; nothing for an unknown level.
    #[must_use]
    pub fn severity(&self) -> Option<usize> {
        Self::KNOWN.iter().position(|known| self == known)
    }
}

impl PartialOrd for LoggingLevel {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.severity(), other.severity()) {
            (Some(ours), Some(theirs)) => ours.partial_cmp(&theirs),
            _ => (self == other).then_some(Ordering::Equal),
        }
    }
}

open_object! {
    /// From which level on log messages are wanted (`logging/setLevel`, legacy).
    pub struct SetLevelParams {
        /// The least severe level.
        required level: LoggingLevel = "level",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A log message of the server.
    pub struct MessageParams {
        /// A word of [`LoggingLevel`], or another.
        required level: String = "level",
        /// What part of the server speaks.
        optional logger: String = "logger",
        /// What it says: any JSON value.
        nullable data: Json = "data",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

impl MessageParams {
    /// How bad it is.
    #[must_use]
    pub fn logging_level(&self) -> LoggingLevel {
        LoggingLevel::from(self.level.as_str())
    }
}
