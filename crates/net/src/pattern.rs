//! What a list of hosts is made of.

use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

use crate::Block;
use crate::origin::{literal, without_final_dot};

/// An entry of a list of hosts. Ports and schemes do not count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `*`: every host.
    Every,
    /// This name alone; in lower case and ASCII, without a dot at the end.
    Name(String),
    /// `*.suffix`: every name below this one, itself apart.
    Below(String),
    /// An address, or a block of them.
    Block(Block),
}

impl Pattern {
    /// Whether a host matches by what is written: its name, or its address if it is written as one.
    #[must_use]
    pub fn matches(&self, host: &Host<String>) -> bool {
        match (self, host) {
            (Self::Every, _) => true,
            (Self::Name(name), Host::Domain(host)) => without_final_dot(host).eq_ignore_ascii_case(name),
            (Self::Below(suffix), Host::Domain(host)) => is_below(without_final_dot(host), suffix),
            (Self::Block(_), _) => literal(host).is_some_and(|address| self.matches_address(address)),
            (Self::Name(_) | Self::Below(_), _) => false,
        }
    }

    /// Whether the address behind a host matches.
    #[must_use]
    pub fn matches_address(&self, address: IpAddr) -> bool {
        match self {
            Self::Every => true,
            Self::Block(block) => block.contains(address),
            Self::Name(_) | Self::Below(_) => false,
        }
    }
}

/// A text is no entry of a list of hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no host, `*.suffix`, address or block of addresses")]
pub struct NoPattern;

impl FromStr for Pattern {
    type Err = NoPattern;

    /// Reads `*`, `*.suffix`, a name, an address (of IPv6 with or without brackets) or a block such as `10.0.0.0/8`.
    /// Case and a dot at the end do not count, names may have letters of every alphabet, and a `*` stands nowhere else.
    fn from_str(text: &str) -> Result<Self, NoPattern> {
        let text = text.trim();
        if text == "*" {
            return Ok(Self::Every);
        }
        if let Ok(block) = text.parse() {
            return Ok(Self::Block(block));
        }
        let (name, below) = match text.strip_prefix("*.") {
            Some(suffix) => (suffix, true),
            None => (text, false),
        };
        // `127.1` and `10.` are addresses to a URL, and hardly what was meant here.
        let Ok(Host::Domain(name)) = Host::parse(name) else { return Err(NoPattern) };
        let name = without_final_dot(&name).to_owned();
        if name.split('.').any(|label| label.is_empty() || label.contains('*')) {
            return Err(NoPattern);
        }
        Ok(if below { Self::Below(name) } else { Self::Name(name) })
    }
}

/// Whether a name lies below another one, at a dot.
fn is_below(name: &str, suffix: &str) -> bool {
    let Some(end) = name.len().checked_sub(suffix.len()) else { return false };
    name.is_char_boundary(end) && name[end..].eq_ignore_ascii_case(suffix) && name[..end].ends_with('.')
}
