//! Why an exchange brought no answer.

use std::time::Duration;

use codewhale_mcp_protocol::{ErrorObject, code};
use codewhale_mcp_session::Unanswered;
use codewhale_mcp_transport::ExchangeError;

/// The longest pause that a server may ask for before a request goes out once more by itself.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// An exchange brought no answer. It is the fault of one request; the connection stays.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeFault {
    /// It came to nothing.
    #[error(transparent)]
    Failed(ExchangeError),
    /// A login is needed.
    #[error("the server asks for a login")]
    LoginNeeded {
        /// What the server says about it: the values of `WWW-Authenticate`.
        challenges: Vec<String>,
    },
    /// The server answered with a status, and not with a message.
    #[error("the server answered with {found}{}", pause(*retry_after))]
    Refused {
        /// What it answered.
        found: Unanswered,
        /// How long it wants us to wait.
        retry_after: Option<Duration>,
    },
    /// The body is of a kind that holds no messages.
    #[error("the server answered with a body of type {media}{}", said(body.as_deref()))]
    NoMessages {
        /// Its media type, in the server's words.
        media: String,
        /// Its beginning.
        body: Option<String>,
    },
    /// The answer did not come to its end, and could not be taken up again.
    #[error("the server broke off its answer")]
    Lost {
        /// How often it was tried to take it up again.
        resumed: u32,
    },
    /// The server no longer knows the session, and has opened no new one.
    #[error("the server no longer knows the session{}", renewal.as_ref().map(|why| format!(", and opened no new one: {why}")).unwrap_or_default())]
    SessionLost {
        /// Why there is no new one, where one was asked for.
        renewal: Option<String>,
    },
}

impl From<ExchangeError> for ExchangeFault {
    fn from(error: ExchangeError) -> Self {
        match error {
            ExchangeError::LoginNeeded { challenges } => Self::LoginNeeded { challenges },
            other => Self::Failed(other),
        }
    }
}

impl ExchangeFault {
    /// How long to wait before the same is asked once more, if that makes sense. Only for what changes nothing.
    pub(crate) fn pause(&self) -> Option<Duration> {
        match self {
            Self::Lost { .. } | Self::Failed(ExchangeError::Broken(_)) => Some(Duration::ZERO),
            Self::Refused { found, retry_after: Some(after) } if matches!(found.status, 429 | 503) => {
                (*after <= LONGEST_PAUSE).then_some(*after)
            }
            _ => None,
        }
    }

    /// Whether the server means that it does not know the session, in words of its own: only status 404 says so in
    /// the specification's (MCP 2025-11-25, basic/transports).
    pub(crate) fn names_a_lost_session(&self) -> bool {
        match self {
            Self::SessionLost { renewal: None } => true,
            Self::Refused { found: Unanswered { status: 200 | 400 | 404 | 410, error, said }, .. } => {
                let error = error.as_ref().map(|error| error.message.as_str());
                error.or(said.as_deref()).is_some_and(names_lost_session)
            }
            _ => false,
        }
    }
}

/// Whether an error that answers a request means that the server does not know the session. Tools have sessions of
/// their own, and their errors have other codes.
pub(crate) fn is_lost_session(error: &ErrorObject) -> bool {
    let of_transport = matches!(error.code, -32099..=-32000 | code::INVALID_REQUEST);
    of_transport && names_lost_session(&error.message)
}

fn names_lost_session(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("session")
        && ["not found", "unknown", "expired", "invalid", "no valid", "does not exist", "terminated"]
            .iter()
            .any(|word| text.contains(word))
}

fn pause(after: Option<Duration>) -> String {
    after.map(|after| format!(" and asks for a pause of {} s", after.as_secs())).unwrap_or_default()
}

fn said(body: Option<&str>) -> String {
    body.map(|body| format!(": {body}")).unwrap_or_default()
}
