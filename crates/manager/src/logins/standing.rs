//! How things are with a login, without a look at the credentials.

use std::path::Path;
use std::time::SystemTime;

use codewhale_mcp_auth::store::{Note, NoteOf, Notes};
use codewhale_mcp_config::{Server, Transport};

use super::Credentials;
use super::settings::settings;
use crate::endpoint::has_credentials;

/// How things are with the login to a server, as far as is known without asking anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoginStanding {
    /// Nothing is known: nobody logged in, and the server did not ask for it.
    Unknown,
    /// There is a token that is good, or for which another one is had.
    LoggedIn(Held),
    /// The token has ended, and there is no other without a login.
    Expired(Held),
    /// Somebody logged out here.
    LoggedOut,
    /// The server asked for a login, and what is kept does not do.
    Needed,
}

/// What is known of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Whose it is.
    pub issuer: String,
    /// The scopes that were granted.
    pub scopes: String,
    /// When it ends.
    pub ends_at: Option<SystemTime>,
    /// Whether another one is had without a login.
    pub renews: bool,
}

impl LoginStanding {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::LoggedIn(_) => "logged_in",
            Self::Expired(_) => "expired",
            Self::LoggedOut => "logged_out",
            Self::Needed => "needed",
        }
    }

    /// What is known of the token.
    #[must_use]
    pub const fn held(&self) -> Option<&Held> {
        match self {
            Self::LoggedIn(held) | Self::Expired(held) => Some(held),
            _ => None,
        }
    }

    fn of(note: Note, now: SystemTime) -> Self {
        let ends_at = note.of.ends_at();
        match (note.of, note.asked) {
            (_, Some(_)) => Self::Needed,
            (NoteOf::Nothing, None) => Self::Unknown,
            (NoteOf::LoggedOut, None) => Self::LoggedOut,
            (NoteOf::Tokens { issuer, scopes, renews, .. }, None) => {
                let held = Held { issuer, scopes, ends_at, renews };
                match !renews && ends_at.is_some_and(|end| end <= now) {
                    true => Self::Expired(held),
                    false => Self::LoggedIn(held),
                }
            }
        }
    }
}

/// Whether a login is used for a server: it has a URL, and its definition does not say itself what authorizes requests.
#[must_use]
pub fn uses_login(server: &Server) -> bool {
    match &server.transport {
        Transport::Http(remote) | Transport::Sse(remote) => !has_credentials(remote),
        _ => false,
    }
}

/// How things are with the login to a server; `None` where none is ever used. Reads one small file, opens no keyring and
/// no connection.
#[must_use]
pub fn login_standing(server: &Server, home: &Path, now: SystemTime) -> Option<LoginStanding> {
    let (Transport::Http(remote) | Transport::Sse(remote)) = &server.transport else { return None };
    if has_credentials(remote) {
        return None;
    }
    let url = remote.url.parse().ok()?;
    // The client's secret is not looked at.
    let settings = settings(&server.name, url, remote, |_| Some("-".into())).ok()?;
    let notes = Notes::beside(Credentials::folder(home));
    Some(LoginStanding::of(notes.of(&settings.key()), now))
}
