//! Which IP addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not public: the range that it lies in.
///
/// The ranges are those of the IANA special-purpose address registries (RFC 6890) that are not globally reachable;
/// blocks for protocols count as a whole, and so do forms that carry an IPv4 address, because what they reach is
/// decided by a translator and not by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Range {
    /// `0.0.0.0/8` (RFC 791, section 3.2) and `::` (RFC 4291, section 2.5.2): this network, this host.
    Unspecified,
    /// `127.0.0.0/8` (RFC 1122, section 3.2.1.3) and `::1` (RFC 4291, section 2.5.3).
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12` and `192.168.0.0/16` (RFC 1918).
    Private,
    /// `100.64.0.0/10`: shared by a provider's customers (RFC 6598).
    Shared,
    /// `169.254.0.0/16` (RFC 3927) and `fe80::/10` (RFC 4291, section 2.5.6). Metadata of clouds lies here.
    LinkLocal,
    /// `fc00::/7` (RFC 4193).
    UniqueLocal,
    /// `fec0::/10`, deprecated (RFC 3879).
    SiteLocal,
    /// `192.0.0.0/24` and `2001::/23`: for protocols, none of them ours (RFC 6890).
    Protocols,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24` (RFC 5737), `2001:db8::/32` (RFC 3849) and `3fff::/20`
    /// (RFC 9637).
    Documentation,
    /// `198.18.0.0/15` (RFC 2544) and `2001:2::/48` (RFC 5180).
    Benchmarking,
    /// `192.88.99.0/24`: relays of 6to4, deprecated (RFC 7526).
    Relay,
    /// `168.63.129.16`: a machine's own host in the Azure cloud, by an address that looks public.
    CloudHost,
    /// `224.0.0.0/4` (RFC 5771) and `ff00::/8` (RFC 4291, section 2.7).
    Multicast,
    /// `240.0.0.0/4` (RFC 1112, section 4), and what of IPv6 is no global unicast (RFC 4291, section 2.4).
    Reserved,
    /// `255.255.255.255` (RFC 919).
    Broadcast,
    /// `::ffff:0:0/96`: IPv4-mapped (RFC 4291, section 2.5.5.2).
    Mapped,
    /// `::/96`: IPv4-compatible, deprecated (RFC 4291, section 2.5.5.1).
    Compatible,
    /// `::ffff:0:0:0/96`: IPv4-translated (RFC 2765, section 2.1).
    Translated,
    /// `64:ff9b::/96` (RFC 6052) and `64:ff9b:1::/48` (RFC 8215): translated by NAT64.
    Nat64,
    /// `2002::/16` (RFC 3056).
    SixToFour,
    /// `2001::/32` (RFC 4380).
    Teredo,
    /// Interface identifiers of ISATAP, behind any prefix (RFC 5214, section 6.1).
    Isatap,
    /// `100::/64` (RFC 6666) and `100:0:0:1::/64` (RFC 9780).
    Discard,
    /// `2001:10::/28` (RFC 4843), `2001:20::/28` (RFC 7343) and `2001:30::/28` (RFC 9374): names of keys and devices.
    Orchid,
    /// `5f00::/16`: segments of SRv6 (RFC 9602).
    Segment,
}

impl Range {
    /// The range an address lies in, `None` for a public one.
    ///
    /// A form with an IPv4 address in it lies in that one's range, if this is not public, and otherwise in the range
    /// of the form.
    #[must_use]
    pub fn of(address: IpAddr) -> Option<Self> {
        match address {
            IpAddr::V4(v4) => of_v4(v4),
            IpAddr::V6(v6) => of_v6(v6),
        }
    }
}

/// The IPv4 address that an IPv6 address stands for, in the forms that place it unambiguously: mapped, compatible,
/// translated, NAT64 (RFC 6052, section 2.2, with 96 bits), 6to4, Teredo's client and ISATAP.
#[must_use]
pub fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    embedding(address).map(|(_, v4)| v4)
}

fn of_v4(address: Ipv4Addr) -> Option<Range> {
    let bits = address.to_bits();
    let within =
        |(start, length, _): &&(Ipv4Addr, u32, Range)| (bits ^ start.to_bits()) >> (32 - length) == 0;
    V4.iter().find(within).map(|(_, _, range)| *range)
}

fn of_v6(address: Ipv6Addr) -> Option<Range> {
    if let Some((form, v4)) = embedding(address) {
        return Some(of_v4(v4).unwrap_or(form));
    }
    let bits = address.to_bits();
    let within =
        |(start, length, _): &&(Ipv6Addr, u32, Range)| (bits ^ start.to_bits()) >> (128 - length) == 0;
    let special = V6.iter().find(within).map(|(_, _, range)| *range);
    special.or((bits >> 125 != 0b001).then_some(Range::Reserved))
}

fn embedding(address: Ipv6Addr) -> Option<(Range, Ipv4Addr)> {
    let low = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0xffff, a, b] => Some((Range::Mapped, low(a, b))),
        [0, 0, 0, 0, 0, 0, a, b] => Some((Range::Compatible, low(a, b))),
        [0, 0, 0, 0, 0xffff, 0, a, b] => Some((Range::Translated, low(a, b))),
        [0x64, 0xff9b, 0, 0, 0, 0, a, b] => Some((Range::Nat64, low(a, b))),
        [0x2002, a, b, ..] => Some((Range::SixToFour, low(a, b))),
        [0x2001, 0, .., a, b] => Some((Range::Teredo, low(!a, !b))),
        [_, _, _, _, 0 | 0x200, 0x5efe, a, b] => Some((Range::Isatap, low(a, b))),
        _ => None,
    }
}

/// Start, length and range; the first one that fits counts.
const V4: &[(Ipv4Addr, u32, Range)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, Range::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Range::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Range::Shared),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Range::Loopback),
    (Ipv4Addr::new(168, 63, 129, 16), 32, Range::CloudHost),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Range::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Range::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Range::Protocols),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Range::Documentation),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Range::Relay),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Range::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Range::Benchmarking),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Range::Documentation),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Range::Documentation),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Range::Multicast),
    (Ipv4Addr::new(255, 255, 255, 255), 32, Range::Broadcast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Range::Reserved),
];

/// The same of IPv6; what lies outside `2000::/3` besides is reserved.
const V6: &[(Ipv6Addr, u32, Range)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, Range::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, Range::Loopback),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, Range::Nat64),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 63, Range::Discard),
    (Ipv6Addr::new(0x2001, 2, 0, 0, 0, 0, 0, 0), 48, Range::Benchmarking),
    (Ipv6Addr::new(0x2001, 0x10, 0, 0, 0, 0, 0, 0), 28, Range::Orchid),
    (Ipv6Addr::new(0x2001, 0x20, 0, 0, 0, 0, 0, 0), 27, Range::Orchid),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Range::Protocols),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Range::Documentation),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Range::Documentation),
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16, Range::Segment),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Range::UniqueLocal),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Range::LinkLocal),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Range::SiteLocal),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Range::Multicast),
];
