//! Why a handshake failed.

use std::fmt;
use std::time::Duration;

use codewhale_mcp_protocol::ErrorObject;

use crate::Attempt;

/// A message of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// `server/discover`
    Discover,
    /// `initialize`
    Initialize,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discover => "server/discover",
            Self::Initialize => "initialize",
        })
    }
}

/// A server cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The server did not answer.
    #[error("the server did not answer {} within {} s", steps(*probed, *step), waited.as_secs_f64())]
    Unanswered {
        /// The message that was not answered.
        step: Step,
        /// Whether `server/discover` before it was not answered either.
        probed: Probed,
        /// For how long the last answer was waited for.
        waited: Duration,
    },
    /// The link closed before the server answered.
    #[error("the server closed the connection before it answered {step}")]
    Closed {
        /// The message that was not answered.
        step: Step,
    },
    /// The server answered with an error.
    #[error("the server refused {step}: {error}")]
    Refused {
        /// The message that was refused.
        step: Step,
        /// The server's words.
        error: ErrorObject,
    },
    /// The server speaks none of our revisions.
    #[error("{}", spoken(theirs))]
    NoCommonRevision {
        /// What the server speaks, in its own words.
        theirs: Vec<String>,
    },
    /// The server's answer to the handshake is not one.
    #[error("the server's answer to {step} cannot be used: {reason}")]
    InvalidAnswer {
        /// The message that was answered.
        step: Step,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The server turned everything down that was tried, in this order.
    #[error("the server turned down {}", all(attempts))]
    TurnedDown {
        /// What was tried and what came of it.
        attempts: Vec<Attempt>,
    },
    /// Only the modern era was allowed, and the server is not of it.
    #[error("the server does not speak a modern revision")]
    NotModern,
}

/// Whether a server was asked `server/discover` on this link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probed {
    /// It was, and did not answer.
    Unanswered,
    /// It was and answered, or it was not asked.
    No,
}

fn steps(probed: Probed, step: Step) -> String {
    match probed {
        Probed::Unanswered => format!("{} and {step}", Step::Discover),
        Probed::No => step.to_string(),
    }
}

fn all(attempts: &[Attempt]) -> String {
    attempts.iter().map(Attempt::to_string).collect::<Vec<_>>().join("; ")
}

fn spoken(theirs: &[String]) -> String {
    match theirs {
        [] => "the server refuses the revisions that we speak, and names none of its own".to_owned(),
        _ => format!("the server speaks {}, none of which we speak", theirs.join(", ")),
    }
}
