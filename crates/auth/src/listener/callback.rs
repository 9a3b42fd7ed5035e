//! What the settings fix of the address that a browser comes back to.

use thiserror::Error;
use url::{Host, Position, Url};

/// The path when nothing is fixed.
const PATH: &str = "/callback";

/// The address that a browser comes back to, as far as the settings fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// The address up to its port, and what follows the port.
    pub(super) before: String,
    pub(super) path: String,
    /// The port in the address; the listener's when it is not fixed.
    pub(super) shown: Shown,
    /// The port that is listened on; any that is free when it is not fixed.
    pub(super) port: Option<u16>,
    pub(super) at: At,
}

/// Which port an address has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// That of the listener.
    Listeners,
    /// What the settings say, whatever leads from there to the listener.
    Fixed(Option<u16>),
}

/// Which addresses of this machine are listened on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    V4,
    V6,
    /// A name, which may be looked up as either.
    Both,
}

/// The settings name no address to come back to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallbackError {
    /// It is no URL.
    #[error("mcp_oauth_callback_url is no URL: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// It is neither `https` nor `http` on this machine.
    #[error("mcp_oauth_callback_url must be https, or http on this machine itself")]
    Scheme,
    /// It has a part that redirect URIs do not have.
    #[error("mcp_oauth_callback_url must have no {part}")]
    Part {
        /// The part.
        part: &'static str,
    },
    /// It leads somewhere else, and nobody says where it comes out here.
    #[error("mcp_oauth_callback_url needs mcp_oauth_callback_port: the port here that it leads to")]
    NoPort,
}

impl Callback {
    /// Reads `mcp_oauth_callback_port` and `mcp_oauth_callback_url`.
    ///
    /// Without a URL it is `http://127.0.0.1:PORT/callback`. A URL on this machine that has no port gets the
    /// listener's. One with a port, or of another host, stays as it is, and the port setting says what it leads to.
    ///
    /// # Errors
    /// [`CallbackError`].
    pub fn new(port: Option<u16>, url: Option<&str>) -> Result<Self, CallbackError> {
        let Some(url) = url else {
            let before = "http://127.0.0.1".to_owned();
            return Ok(Self { before, path: PATH.to_owned(), shown: Shown::Listeners, port, at: At::V4 });
        };
        let url = Url::parse(url).map_err(|error| CallbackError::Malformed { reason: error.to_string() })?;
        let at = at(&url);
        match (url.scheme(), at) {
            ("https", _) | ("http", Some(_)) => {}
            _ => return Err(CallbackError::Scheme),
        }
        let parts = [
            (url.username() != "" || url.password().is_some(), "user name"),
            (url.query().is_some(), "query"),
            (url.fragment().is_some(), "fragment"),
        ];
        if let Some((_, part)) = parts.into_iter().find(|(there, _)| *there) {
            return Err(CallbackError::Part { part });
        }
        let (shown, port) = match (url.scheme(), url.port()) {
            ("http", None) => (Shown::Listeners, port),
            ("http", Some(own)) => (Shown::Fixed(Some(own)), port.or(Some(own))),
            (_, own) => (Shown::Fixed(own), Some(port.ok_or(CallbackError::NoPort)?)),
        };
        let before = url[..Position::AfterHost].to_owned();
        Ok(Self { before, path: url.path().to_owned(), shown, port, at: at.unwrap_or(At::Both) })
    }

    /// The redirect URI of a listener on `port`.
    pub(super) fn uri(&self, port: u16) -> String {
        match self.shown_port(port) {
            Some(port) => format!("{}:{port}{}", self.before, self.path),
            None => format!("{}{}", self.before, self.path),
        }
    }

    /// What requests may name as their host.
    pub(super) fn hosts(&self, port: u16) -> Vec<String> {
        let host = self.before.split_once("://").map_or("", |(_, host)| host);
        let mut hosts: Vec<String> =
            ["127.0.0.1", "[::1]", "localhost"].map(|host| format!("{host}:{port}")).into();
        hosts.push(match self.shown_port(port) {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        });
        hosts
    }

    /// The port of a redirect URI that this would make again.
    pub(super) fn port_of(&self, uri: &str) -> Option<u16> {
        let port = Url::parse(uri).ok()?.port()?;
        (self.port.is_none() && self.uri(port) == uri).then_some(port)
    }

    fn shown_port(&self, port: u16) -> Option<u16> {
        match self.shown {
            Shown::Listeners => Some(port),
            Shown::Fixed(port) => port,
        }
    }
}

/// Where on this machine a URL leads, `None` when it leads elsewhere.
fn at(url: &Url) -> Option<At> {
    match url.host()? {
        Host::Domain("localhost") => Some(At::Both),
        Host::Ipv4(address) if address == std::net::Ipv4Addr::LOCALHOST => Some(At::V4),
        Host::Ipv6(address) if address.is_loopback() => Some(At::V6),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_make_the_address() {
        let check = |port, url: Option<&str>, expected: (&str, Option<u16>, At)| {
            let callback = Callback::new(port, url).unwrap();
            assert_eq!((&*callback.uri(7), callback.port, callback.at), expected, "{port:?} {url:?}");
        };
        check(None, None, ("http://127.0.0.1:7/callback", None, At::V4));
        check(Some(7), None, ("http://127.0.0.1:7/callback", Some(7), At::V4));
        check(None, Some("http://localhost/cb"), ("http://localhost:7/cb", None, At::Both));
        check(Some(7), Some("http://localhost/"), ("http://localhost:7/", Some(7), At::Both));
        check(None, Some("http://localhost:8080/cb"), ("http://localhost:8080/cb", Some(8080), At::Both));
        check(Some(7), Some("http://[::1]:8080/cb"), ("http://[::1]:8080/cb", Some(7), At::V6));
        let remote = Some("https://box.example/a/b");
        check(Some(7), remote, ("https://box.example/a/b", Some(7), At::Both));
        check(Some(7), Some("https://box.example:1/"), ("https://box.example:1/", Some(7), At::Both));
    }

    #[test]
    fn what_is_no_address_to_come_back_to_is_refused() {
        let check = |port, url, expected| assert_eq!(Callback::new(port, Some(url)), Err(expected), "{url}");
        check(None, "http://box.example/cb", CallbackError::Scheme);
        check(None, "http://localhost.evil.example/cb", CallbackError::Scheme);
        check(None, "myapp://cb", CallbackError::Scheme);
        check(None, "https://box.example/cb", CallbackError::NoPort);
        check(None, "http://localhost/cb?a=b", CallbackError::Part { part: "query" });
        check(None, "http://localhost/cb#a", CallbackError::Part { part: "fragment" });
        check(None, "http://me@localhost/cb", CallbackError::Part { part: "user name" });
        assert!(matches!(Callback::new(None, Some("callback")), Err(CallbackError::Malformed { .. })));
    }

    #[test]
    fn only_an_address_of_the_same_make_names_a_port_again() {
        let callback = Callback::new(None, None).unwrap();
        assert_eq!(callback.port_of("http://127.0.0.1:7/callback"), Some(7));
        for other in
            ["http://127.0.0.1:7/other", "http://localhost:7/callback", "http://127.0.0.1/callback", ""]
        {
            assert_eq!(callback.port_of(other), None, "{other}");
        }
        assert_eq!(Callback::new(Some(8), None).unwrap().port_of("http://127.0.0.1:8/callback"), None);
    }
}
