//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use codewhale_mcp_net::Range::{self, *};
use codewhale_mcp_net::{Purpose, Rule, embedded_v4};
use proptest::prelude::*;

use crate::world::{guard, refusal};

const PUBLIC: &[&str] = &[
    "1.0.0.0",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.0.3.0",
    "192.31.196.1",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "203.0.114.0",
    "223.255.255.255",
    "2000::",
    "2001:200::",
    "2001:4860:4860::8888",
    "2001:db7:ffff::1",
    "2001:db9::1",
    "2003::1",
    "2606:4700::1111",
    "3ffe:ffff::1",
    "3fff:1000::1",
];

const SPECIAL: &[(&str, Range)] = &[
    ("0.0.0.0", Unspecified),
    ("0.255.255.255", Unspecified),
    ("10.0.0.0", Private),
    ("10.255.255.255", Private),
    ("100.64.0.0", Shared),
    ("100.100.100.200", Shared),
    ("100.127.255.255", Shared),
    ("127.0.0.0", Loopback),
    ("127.0.0.1", Loopback),
    ("127.255.255.255", Loopback),
    ("168.63.129.16", CloudHost),
    ("169.254.0.0", LinkLocal),
    ("169.254.169.254", LinkLocal),
    ("169.254.255.255", LinkLocal),
    ("172.16.0.0", Private),
    ("172.31.255.255", Private),
    ("192.0.0.0", Protocols),
    ("192.0.0.192", Protocols),
    ("192.0.2.1", Documentation),
    ("192.88.99.1", Relay),
    ("192.168.0.0", Private),
    ("192.168.255.255", Private),
    ("198.18.0.0", Benchmarking),
    ("198.19.255.255", Benchmarking),
    ("198.51.100.255", Documentation),
    ("203.0.113.0", Documentation),
    ("224.0.0.1", Multicast),
    ("239.255.255.255", Multicast),
    ("240.0.0.0", Reserved),
    ("255.255.255.254", Reserved),
    ("255.255.255.255", Broadcast),
    ("::", Unspecified),
    ("::1", Loopback),
    ("::2", Unspecified),
    ("::7f00:1", Loopback),
    ("::8.8.8.8", Compatible),
    ("::ffff:8.8.8.8", Mapped),
    ("::ffff:10.0.0.1", Private),
    ("::ffff:169.254.169.254", LinkLocal),
    ("::ffff:0:8.8.8.8", Translated),
    ("::ffff:0:10.0.0.1", Private),
    ("64:ff9b::8.8.8.8", Nat64),
    ("64:ff9b::127.0.0.1", Loopback),
    ("64:ff9b:1::1", Nat64),
    ("64:ff9b:1:ffff:ffff:ffff:ffff:ffff", Nat64),
    ("64:ff9b:2::1", Reserved),
    ("100::1", Discard),
    ("100:0:0:1::1", Discard),
    ("100:0:0:2::1", Reserved),
    ("2001::1", Reserved),
    ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", Teredo),
    ("2001:0:4136:e378:8000:63bf:f5ff:fffe", Private),
    ("2001:1::1", Protocols),
    ("2001:2::1", Benchmarking),
    ("2001:2:1::1", Protocols),
    ("2001:10::1", Orchid),
    ("2001:2f:ffff::1", Orchid),
    ("2001:3f:ffff::1", Orchid),
    ("2001:40::1", Protocols),
    ("2001:1ff:ffff::1", Protocols),
    ("2001:db8::1", Documentation),
    ("2002:808:808::1", SixToFour),
    ("2002:a9fe:a9fe::1", LinkLocal),
    ("2606:4700::5efe:8.8.8.8", Isatap),
    ("2606:4700::200:5efe:10.0.0.1", Private),
    ("3fff::1", Documentation),
    ("3fff:fff:ffff::1", Documentation),
    ("4000::1", Reserved),
    ("5f00::1", Segment),
    ("5f01::1", Reserved),
    ("fc00::1", UniqueLocal),
    ("fd00:ec2::254", UniqueLocal),
    ("fe80::1", LinkLocal),
    ("febf:ffff::1", LinkLocal),
    ("fec0::1", SiteLocal),
    ("feff:ffff::1", SiteLocal),
    ("ff02::1", Multicast),
    ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Multicast),
];

/// A name and an address written out, each with the verdict on `address`.
#[track_caller]
fn check(address: &str, range: Option<Range>) {
    let guard = guard("https://mcp.example/");
    let parsed: IpAddr = address.parse().unwrap();
    let written =
        if parsed.is_ipv6() { format!("https://[{address}]/") } else { format!("https://{address}/") };
    for url in ["https://mcp.example/", "https://other.example/", &written] {
        for purpose in [Purpose::Message, Purpose::Login] {
            let refusal = refusal(&guard, url, purpose, &[address]);
            let found = refusal.map(|refusal| (refusal.rule, refusal.address));
            assert_eq!(found, range.map(|range| (Rule::NotPublic(range), Some(parsed))), "{url} {address}");
        }
    }
}

#[test]
fn only_public_addresses_are_reached_and_others_are_named_with_their_rule() {
    PUBLIC.iter().for_each(|address| check(address, None));
    SPECIAL.iter().for_each(|(address, range)| check(address, Some(*range)));
}

#[test]
fn one_address_that_is_not_public_refuses_the_name() {
    let guard = guard("https://mcp.example/");
    let found = |addresses: &[&str]| {
        refusal(&guard, "https://mcp.example/x?token=1", Purpose::Message, addresses)
            .map(|refusal| refusal.to_string())
    };
    assert_eq!(found(&["8.8.8.8", "2606:4700::1111"]), None);
    let private = "no request to private addresses (RFC 1918): mcp.example is";
    assert_eq!(found(&["8.8.8.8", "192.168.1.5"]), Some(format!("{private} 192.168.1.5")));
    assert_eq!(found(&["::ffff:10.0.0.1", "8.8.8.8"]), Some(format!("{private} ::ffff:10.0.0.1")));
    let url = "https://[::1]/";
    let written = refusal(&guard, url, Purpose::Message, &[]).map(|refusal| refusal.to_string());
    assert_eq!(written.as_deref(), Some("no request to loopback addresses (RFC 6890): [::1]"));
}

/// Every form that places an IPv4 address in an IPv6 one.
fn forms(v4: Ipv4Addr, prefix: [u16; 4]) -> Vec<Ipv6Addr> {
    let [a, b] = [(v4.to_bits() >> 16) as u16, v4.to_bits() as u16];
    let [p, q, r, s] = prefix;
    [
        [0, 0, 0, 0, 0, 0xffff, a, b],
        [0, 0, 0, 0, 0, 0, a, b],
        [0, 0, 0, 0, 0xffff, 0, a, b],
        [0x64, 0xff9b, 0, 0, 0, 0, a, b],
        [0x64, 0xff9b, 1, q, r, s, a, b],
        [0x2002, a, b, p, q, r, s, 1],
        [0x2001, 0, p, q, r, s, !a, !b],
        [p, q, r, s, 0, 0x5efe, a, b],
        [p, q, r, s, 0x200, 0x5efe, a, b],
    ]
    .map(Ipv6Addr::from)
    .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_form_with_an_ipv4_address_in_it_is_never_public_and_shares_its_range(v4: u32, prefix: [u16; 4]) {
        let v4 = Ipv4Addr::from_bits(v4);
        for form in forms(v4, prefix) {
            let range = Range::of(form.into());
            prop_assert!(range.is_some(), "{form} is public");
            if embedded_v4(form) == Some(v4) && let Some(range_of_v4) = Range::of(v4.into()) {
                prop_assert_eq!(range, Some(range_of_v4), "{}", form);
            }
        }
    }

    #[test]
    fn what_the_standard_library_calls_special_is_never_public(v4: u32, v6: u128, start in any::<u8>()) {
        let v4 = Ipv4Addr::from_bits(v4);
        let special = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast()
            || v4.is_broadcast() || v4.is_documentation() || v4.is_unspecified();
        prop_assert!(!special || Range::of(v4.into()).is_some(), "{v4}");
        let v6 = Ipv6Addr::from_bits(v6 >> 8 | u128::from(start) << 120);
        let special = v6.is_loopback() || v6.is_multicast() || v6.is_unique_local()
            || v6.is_unicast_link_local() || v6.is_unspecified();
        prop_assert!(!special || Range::of(v6.into()).is_some(), "{v6}");
        prop_assert!(start >> 5 == 1 || Range::of(v6.into()).is_some(), "{v6} is no global unicast");
    }
}
