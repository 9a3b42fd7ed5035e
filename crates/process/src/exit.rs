//! How a process ended.

use std::fmt;

/// How a process ended. A fact, not a judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// It ended by itself with this exit code.
    Exited(i32),
    /// It was ended by the signal with this number.
    Signaled(i32),
    /// It could not be found out, for this reason.
    Unknown(&'static str),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signaled(signal) => write!(f, "was ended by signal {signal}"),
            Self::Unknown(why) => write!(f, "ended in an unknown way: {why}"),
        }
    }
}
