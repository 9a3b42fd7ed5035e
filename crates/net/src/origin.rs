//! Scheme, host and port, as they are compared.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

use crate::{Refusal, Rule};

/// A scheme of the two that are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// As it stands in a URL.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// Scheme, host and port of a URL (RFC 6454, section 4). Two are the same only when all three are.
///
/// The host is what the URL standard makes of the text: `127.1`, `0x7f000001`, `2130706433` and full-width digits
/// are IPv4 addresses, percent-encoding is taken off, other letters are IDNA. A dot at the end makes another origin.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: Host<String>,
    port: u16,
}

impl Origin {
    /// The origin of a URL; user-info, path, query and fragment do not count.
    ///
    /// # Errors
    /// [`Rule::Scheme`] for anything but `http` and `https`.
    pub fn of(url: &Url) -> Result<Self, Refusal> {
        let (scheme, port) = match url.scheme() {
            "http" => (Scheme::Http, 80),
            "https" => (Scheme::Https, 443),
            other => return Err(Refusal { rule: Rule::Scheme, host: format!("{other}:"), address: None }),
        };
        let host = url.host().expect("http and https URLs have a host").to_owned();
        Ok(Self { scheme, host, port: url.port().unwrap_or(port) })
    }

    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host: a name in lower case and ASCII, or an address.
    #[must_use]
    pub const fn host(&self) -> &Host<String> {
        &self.host
    }

    /// The port, also when it is the scheme's own.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The address, when the host is written as one.
    #[must_use]
    pub fn literal(&self) -> Option<IpAddr> {
        literal(&self.host)
    }

    /// What the host says of loopback before anybody looks it up.
    #[must_use]
    pub fn nearness(&self) -> Nearness {
        match (&self.host, self.literal()) {
            (_, Some(address)) if address.is_loopback() => Nearness::Loopback,
            (Host::Domain(name), _) if is_localhost(name) => Nearness::Localhost,
            _ => Nearness::Elsewhere,
        }
    }

    pub(crate) fn refuse(&self, rule: Rule, address: Option<IpAddr>) -> Refusal {
        Refusal { rule, host: self.host.to_string(), address }
    }
}

impl fmt::Display for Origin {
    /// As it stands in a URL, the scheme's own port left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host)?;
        match (self.scheme, self.port) {
            (Scheme::Http, 80) | (Scheme::Https, 443) => Ok(()),
            (_, port) => write!(f, ":{port}"),
        }
    }
}

/// Whether a host is written as this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// A loopback address: `127.0.0.0/8` or `::1`.
    Loopback,
    /// `localhost` or a name below it (RFC 6761, section 6.3). It needs no look-up: it is `127.0.0.1` and `::1`.
    Localhost,
    /// Anything else, a name that turns out to be loopback included.
    Elsewhere,
}

/// A name without the dot that ends a full one (RFC 1034, section 3.1).
pub(crate) fn without_final_dot(name: &str) -> &str {
    name.trim_end_matches('.')
}

pub(crate) fn literal(host: &Host<String>) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some((*address).into()),
        Host::Ipv6(address) => Some((*address).into()),
    }
}

fn is_localhost(name: &str) -> bool {
    let name = without_final_dot(name);
    name == "localhost" || name.ends_with(".localhost")
}
