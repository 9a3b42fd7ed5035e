//! Why a request failed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{ErrorObject, HeaderArgumentFault, LineTooLong};
use codewhale_mcp_session::{EncodeError, RoundError};
use codewhale_mcp_transport::End;

use crate::handler::Refusal;
use crate::lane::ExchangeFault;

/// A request got no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The server answered with an error.
    #[error("the server answered {method} with an error: {error}")]
    ServerError {
        /// What was asked.
        method: &'static str,
        /// The server's words.
        error: ErrorObject,
    },
    /// The server did not answer within the budget. It was told that the answer is no longer wanted, and the
    /// connection stays.
    #[error("the server did not answer {method} within {} s", after.as_secs_f64())]
    ServerTimedOut {
        /// What was asked.
        method: &'static str,
        /// The budget.
        after: Duration,
    },
    /// The server was silent for too long: neither an answer nor progress.
    #[error("the server showed no progress on {method} for {} s", after.as_secs_f64())]
    ServerSilent {
        /// What was asked.
        method: &'static str,
        /// The limit on silence.
        after: Duration,
    },
    /// The server is gone.
    #[error("the server {0} before it answered")]
    ServerGone(Arc<Gone>),
    /// The server's answer cannot be used.
    #[error("the server's answer to {method} cannot be used: {reason}")]
    ServerReplyInvalid {
        /// What was asked.
        method: &'static str,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The server sends the pages of a list in a circle.
    #[error("the server repeats the cursor {cursor:?} of {method} after {pages} pages")]
    ServerRepeatsCursor {
        /// The list.
        method: &'static str,
        /// The cursor that came again.
        cursor: String,
        /// How many pages had come.
        pages: usize,
    },
    /// A list has more pages or items than we read.
    #[error("the server's answer to {method} has more than {limit} {what}")]
    ServerListTooLong {
        /// The list.
        method: &'static str,
        /// How many are read.
        limit: usize,
        /// `pages` or `items`.
        what: &'static str,
    },
    /// The server asks for input in a way that it must not, or without end.
    #[error("the server's answer to {method} cannot be used: {source}")]
    ServerAsksWrongly {
        /// What was asked.
        method: &'static str,
        /// What is wrong with it.
        source: RoundError,
    },
    /// The server needs something to answer that it was not given.
    #[error("the server needs an answer before it can answer {method}, and got none: {refusal}")]
    InputRefused {
        /// What was asked.
        method: &'static str,
        /// Why it was not answered.
        refusal: Refusal,
    },
    /// The server does not offer what this needs.
    #[error("the server does not offer {capability}")]
    ServerLacks {
        /// The capability.
        capability: &'static str,
    },
    /// The task came to its end without a result.
    #[error("the task {id:?} was cancelled{}", said(message.as_deref()))]
    TaskCancelled {
        /// The task.
        id: String,
        /// What the server says of it.
        message: Option<String>,
    },
    /// The exchange of the request brought no answer. The connection stays.
    #[error("no answer to {method}: {fault}")]
    Exchange {
        /// What was asked.
        method: &'static str,
        /// Why.
        fault: Box<ExchangeFault>,
    },
    /// An argument that a header has to repeat cannot be written there.
    #[error("cannot send {method}: {source}")]
    CallerArgumentInvalid {
        /// What should have been asked.
        method: &'static str,
        /// What is wrong with the argument.
        source: HeaderArgumentFault,
    },
    /// The caller's params cannot be sent.
    #[error("cannot send {method}: {source}")]
    CallerParamsInvalid {
        /// What should have been asked.
        method: &'static str,
        /// What is wrong with the params.
        source: EncodeError,
    },
    /// We closed the connection.
    #[error("the connection was closed")]
    ClosedHere,
}

fn said(message: Option<&str>) -> String {
    message.map(|message| format!(": {message}")).unwrap_or_default()
}

/// How a server was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// How the link ended.
    pub end: End,
    /// The limit that the server broke, if that is why we ended it.
    pub fault: Option<LimitFault>,
    /// The last lines that it wrote beside the protocol, oldest first. They may hold anything.
    pub last_words: Vec<String>,
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Some(fault) => write!(f, "was cut off ({fault})"),
            None => self.end.fmt(f),
        }
    }
}

/// A limit that a server broke.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitFault {
    /// A message was too long.
    #[error(transparent)]
    Message(#[from] LineTooLong),
    /// The server asks without reading our answers.
    #[error("it does not read what it is sent")]
    Unread,
    /// The server has closed its input and lives on.
    #[error("it closed its input")]
    Deaf,
}
