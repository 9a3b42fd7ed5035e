//! What a login asks for, and what it is told.

use std::fmt;
use std::time::Duration;

use codewhale_mcp_net::{Call, Fetched};
use codewhale_mcp_redact::Secret;
use url::Url;

use super::{SubjectKind, Tokens};
use crate::browse::Redirected;
use crate::registration::Registration;

/// What a login asks for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ask {
    /// A request: [`Input::Answer`].
    Http(Call),
    /// What is kept of a registration with this issuer: [`Input::Registration`].
    Recall {
        /// The issuer.
        issuer: String,
    },
    /// A registration is to be kept, or none any more: [`Input::Done`].
    Keep {
        /// The issuer.
        issuer: String,
        /// What is to be kept.
        registration: Option<Registration>,
    },
    /// A place for the browser to come back to: [`Input::Landed`].
    Land {
        /// A redirect URI that we are registered with.
        registered: Option<String>,
    },
    /// A browser is to go there and come back: [`Input::Redirected`].
    Open {
        /// Where to. The scheme was judged.
        url: Url,
        /// Where that which it comes back with is exchanged, so that nobody is sent anywhere for nothing. The scheme was
        /// judged.
        exchange: Url,
        /// What it comes back with.
        state: Secret<String>,
    },
    /// A person is to type a code in elsewhere: [`Input::Done`] at once.
    Show {
        /// The code, and where.
        code: DeviceCode,
        /// Where a token is had for that, so that nobody types anything in for nothing. The scheme was judged.
        exchange: Url,
    },
    /// Time is to pass: [`Input::Done`].
    Wait(Duration),
    /// What stands for us, or for a person: [`Input::Subject`].
    Subject(SubjectKind),
    /// It is done.
    Done(Box<Tokens>),
}

/// What came of an ask.
#[derive(Debug)]
#[non_exhaustive]
pub enum Input {
    /// An answer, of whatever status.
    Answer(Fetched),
    /// What is kept.
    Registration(Option<Registration>),
    /// The redirect URI to come back to.
    Landed(String),
    /// Where the browser was sent.
    Redirected(Redirected),
    /// What stands for us, or for a person.
    Subject(Secret<String>),
    /// It was done.
    Done,
}

/// What a person types in on another device (RFC 8628, section 3.2).
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceCode {
    /// Where.
    pub verification_uri: Url,
    /// The same with the code in it, where there is such a place.
    pub complete: Option<Url>,
    /// The code, safe to show.
    pub user_code: String,
    /// How long it is good.
    pub lifetime: Duration,
}

impl fmt::Debug for DeviceCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceCode").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}
