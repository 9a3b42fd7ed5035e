//! Scheme, host and port, in whatever way they are written.

use codewhale_mcp_net::{Nearness, Purpose, Range, Rule};

use crate::world::{guard, origin, rule};

#[test]
fn hosts_are_judged_as_what_they_come_to() {
    let guard = guard("https://mcp.example/");
    for (url, rule_of_it) in [
        ("https://127.1/", Some(Range::Loopback)),
        ("https://0x7f000001/", Some(Range::Loopback)),
        ("https://2130706433/", Some(Range::Loopback)),
        ("https://017700000001/", Some(Range::Loopback)),
        ("https://0177.0.0.1/", Some(Range::Loopback)),
        ("https://127.0.0.1./", Some(Range::Loopback)),
        ("https://%31%32%37.0.0.1/", Some(Range::Loopback)),
        ("https://127。0。0。1/", Some(Range::Loopback)),
        ("https://１２７.0.0.1/", Some(Range::Loopback)),
        ("https:\\\\127.0.0.1\\", Some(Range::Loopback)),
        ("https://mcp.example@127.0.0.1/", Some(Range::Loopback)),
        ("https://[::1]/", Some(Range::Loopback)),
        ("https://[0:0:0:0:0:0:0:1]/", Some(Range::Loopback)),
        ("https://[::ffff:7f00:1]/", Some(Range::Loopback)),
        ("https://0/", Some(Range::Unspecified)),
        ("https://169.254.43518/", Some(Range::LinkLocal)),
        ("https://0xa9.0xfe.0xa9.0xfe/", Some(Range::LinkLocal)),
        ("https://10.1/", Some(Range::Private)),
        ("https://localhost/", Some(Range::Loopback)),
        ("https://LOCALHOST./", Some(Range::Loopback)),
        ("https://a.b.localhost/", Some(Range::Loopback)),
        ("https://%6c%6fcalhost/", Some(Range::Loopback)),
        ("https://ｌｏｃａｌｈｏｓｔ/", Some(Range::Loopback)),
        ("https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", Some(Range::Loopback)),
        ("https://localhost.example/", None),
        ("https://notlocalhost/", None),
        ("https://127.0.0.1.example/", None),
        ("https://bücher.example/", None),
    ] {
        for purpose in [Purpose::Message, Purpose::Login] {
            assert_eq!(rule(&guard, url, purpose, &[]), rule_of_it.map(Rule::NotPublic), "{url}");
        }
    }
}

#[test]
fn origins_are_compared_by_scheme_host_and_port() {
    let same =
        ["https://db.corp", "https://DB.corp:443/a?b#c", "HTTPS://user:pw@%64b.corp/", "https:db.corp"];
    let other = [
        "http://db.corp",
        "http://db.corp:443",
        "https://db.corp:8443",
        "https://corp",
        "https://a.db.corp",
        "https://db.corp.",
    ];
    let first = origin(same[0]);
    same.iter().for_each(|url| assert_eq!(origin(url), first, "{url}"));
    other.iter().for_each(|url| assert_ne!(origin(url), first, "{url}"));
    assert_eq!(origin("https://127.1:443"), origin("https://0x7f.0.0.1"));
}

#[test]
fn an_origin_is_shown_as_it_stands_in_a_url() {
    for (url, shown) in [
        ("https://u:p@Bücher.example:443/x", "https://xn--bcher-kva.example"),
        ("http://[0:0::1]:8080/", "http://[::1]:8080"),
        ("http://127.1:80/", "http://127.0.0.1"),
        ("http://a:443/", "http://a:443"),
    ] {
        assert_eq!(origin(url).to_string(), shown);
    }
}

#[test]
fn loopback_is_told_from_what_is_written() {
    for (url, nearness) in [
        ("http://127.8.9.1/", Nearness::Loopback),
        ("http://[::1]:1/", Nearness::Loopback),
        ("http://localhost:1/", Nearness::Localhost),
        ("http://a.Localhost./", Nearness::Localhost),
        ("http://[::ffff:127.0.0.1]/", Nearness::Elsewhere),
        ("http://0.0.0.0/", Nearness::Elsewhere),
        ("http://localhost.localdomain/", Nearness::Elsewhere),
    ] {
        assert_eq!(origin(url).nearness(), nearness, "{url}");
    }
}

#[test]
fn other_schemes_are_not_spoken() {
    let guard = guard("https://mcp.example/");
    for url in
        ["file:///etc/passwd", "ftp://mcp.example/", "ws://mcp.example/", "gopher://127.0.0.1/", "data:,x"]
    {
        assert_eq!(rule(&guard, url, Purpose::Login, &[]), Some(Rule::Scheme), "{url}");
    }
}
