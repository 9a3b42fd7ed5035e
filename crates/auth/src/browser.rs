//! A URL goes to the system's browser: judged, whole, and past no shell.

use std::fmt;

use codewhale_mcp_net::{Nearness, Origin};
use thiserror::Error;
use url::Url;

/// The longest URL that is handed on, in bytes: what servers take of a request line.
const LONGEST: usize = 8 << 10;

/// A URL that a browser, or a person with one, may be sent to: `https`, or `http` on this machine, and nothing that hides where it leads.
///
/// Whatever opens URLs on a system also opens files, shares and programs, so a URL that a server named goes there in
/// this form only (MCP security best practices, OAuth authorization URL validation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserUrl(Url);

/// Why a browser is not sent to a URL.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnfitUrl {
    /// It has more bytes than any that is meant well.
    #[error("the URL is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// It has blanks or control characters in it, or is none.
    #[error("the URL cannot be read: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// Its scheme would start something else than a browser, or is not encrypted.
    #[error("the URL's scheme is `{scheme}`; only https is opened, and http on this machine itself")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// It has a user name or a password in it, which make a host look like another one.
    #[error("the URL has a user name in it")]
    UserInfo,
}

impl BrowserUrl {
    /// Judges a URL.
    ///
    /// # Errors
    /// [`UnfitUrl`], which shows nothing of the URL but its scheme.
    pub fn parse(text: &str) -> Result<Self, UnfitUrl> {
        if text.len() > LONGEST {
            return Err(UnfitUrl::TooLong { limit: LONGEST });
        }
        if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            let reason = "it has blanks or control characters in it".to_owned();
            return Err(UnfitUrl::Malformed { reason });
        }
        let url = Url::parse(text).map_err(|error| UnfitUrl::Malformed { reason: error.to_string() })?;
        match url.scheme() {
            "https" => {}
            "http" if Origin::of(&url).is_ok_and(|origin| origin.nearness() != Nearness::Elsewhere) => {}
            scheme => return Err(UnfitUrl::Scheme { scheme: scheme.to_owned() }),
        }
        match url.username().is_empty() && url.password().is_none() {
            true => Ok(Self(url)),
            false => Err(UnfitUrl::UserInfo),
        }
    }

    /// The URL in its parts.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// The URL as it is opened and shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Opens a browser.
pub trait Opener: Send + Sync + fmt::Debug {
    /// Opens `url`. It may block for as long as it takes to see whether a browser starts.
    ///
    /// # Errors
    /// [`CannotOpen`].
    fn open(&self, url: &BrowserUrl) -> Result<(), CannotOpen>;
}

/// No browser could be started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot open a browser: {reason}")]
pub struct CannotOpen {
    /// What the system said.
    pub reason: String,
}

/// The system's own way: `xdg-open` and its like, `open`, or `ShellExecute`. The URL is one argument of it; no shell
/// reads it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemBrowser;

impl Opener for SystemBrowser {
    fn open(&self, url: &BrowserUrl) -> Result<(), CannotOpen> {
        open::that_detached(url.as_str()).map_err(|error| {
            // It may be a whole command line, with the URL in it that is shown anyway.
            let said = error.to_string();
            let is_command = said.contains(url.as_str());
            let reason = if is_command { "none of the system's ways worked".to_owned() } else { said };
            CannotOpen { reason }
        })
    }
}
