//! Why a request is not made.

use std::net::IpAddr;

use crate::Range;

/// A rule that forbids a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Addresses of this range are reached with consent only.
    NotPublic(Range),
    /// `localhost` and the names below it are this machine and nothing else (RFC 6761, section 6.3).
    Localhost,
    /// The list of denied hosts holds it.
    Denied,
    /// There is a list of allowed hosts, and it does not hold it.
    NotAllowed,
    /// Neither `https` nor `http`.
    Scheme,
    /// `http` to a host that nobody configured so.
    PlainHttp,
}

impl Rule {
    /// The rule in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::NotPublic(range) => of_range(range),
            Self::Localhost => "localhost is this machine alone (RFC 6761)",
            Self::Denied => "the network settings deny it",
            Self::NotAllowed => "the network settings do not allow it",
            Self::Scheme => "only https and http are spoken",
            Self::PlainHttp => "no request without encryption",
        }
    }
}

/// A request is not made. The text names the host and the rule, never a path or a credential.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {host}{}", rule.text(), resolved(host, *address))]
pub struct Refusal {
    /// The rule that forbids it.
    pub rule: Rule,
    /// The host that was to be reached, as it is compared; of a URL without one its scheme and a colon.
    pub host: String,
    /// The address that the rule is about, where it is about one.
    pub address: Option<IpAddr>,
}

/// What a name stands for; an address that is written out is not said twice.
fn resolved(host: &str, address: Option<IpAddr>) -> String {
    let written = host.trim_start_matches('[').trim_end_matches(']').parse().ok();
    address
        .filter(|address| written != Some(*address))
        .map(|address| format!(" is {address}"))
        .unwrap_or_default()
}

const fn of_range(range: Range) -> &'static str {
    match range {
        Range::Unspecified => "no request to unspecified addresses (RFC 6890)",
        Range::Loopback => "no request to loopback addresses (RFC 6890)",
        Range::Private => "no request to private addresses (RFC 1918)",
        Range::Shared => "no request to shared addresses (RFC 6598)",
        Range::LinkLocal => "no request to link-local addresses (RFC 3927, RFC 4291)",
        Range::UniqueLocal => "no request to unique local addresses (RFC 4193)",
        Range::SiteLocal => "no request to site-local addresses (RFC 3879)",
        Range::Protocols => "no request to addresses for protocols (RFC 6890)",
        Range::Documentation => "no request to documentation addresses (RFC 5737, RFC 3849, RFC 9637)",
        Range::Benchmarking => "no request to benchmarking addresses (RFC 2544, RFC 5180)",
        Range::Relay => "no request to 6to4 relays (RFC 7526)",
        Range::CloudHost => "no request to the host of a cloud machine",
        Range::Multicast => "no request to multicast addresses (RFC 5771, RFC 4291)",
        Range::Reserved => "no request to reserved addresses (RFC 6890)",
        Range::Broadcast => "no request to the broadcast address (RFC 919)",
        Range::Mapped => "no request to IPv4-mapped addresses (RFC 4291)",
        Range::Compatible => "no request to IPv4-compatible addresses (RFC 4291)",
        Range::Translated => "no request to IPv4-translated addresses (RFC 2765)",
        Range::Nat64 => "no request to NAT64 addresses (RFC 6052, RFC 8215)",
        Range::SixToFour => "no request to 6to4 addresses (RFC 3056)",
        Range::Teredo => "no request to Teredo addresses (RFC 4380)",
        Range::Isatap => "no request to ISATAP addresses (RFC 5214)",
        Range::Discard => "no request to discard addresses (RFC 6666, RFC 9780)",
        Range::Orchid => "no request to ORCHID addresses (RFC 4843, RFC 7343, RFC 9374)",
        Range::Segment => "no request to SRv6 segments (RFC 9602)",
    }
}
