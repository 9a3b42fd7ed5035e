//! Hosts that may be reached, and hosts that may not.

use codewhale_mcp_net::{Author, Block, Guard, Pattern, PrivateNetwork, Purpose, Range, Route, Rule};

use crate::world::{guard, guard_of, lists, permit, proxies, rule};

fn with(allow: &[&str], deny: &[&str]) -> Guard {
    let guard = guard_of("https://db.corp/", Author::Operator, PrivateNetwork::Allowed);
    Guard { lists: lists(allow, deny), ..guard }
}

#[test]
fn entries_match_names_suffixes_addresses_and_blocks() {
    for (entry, hit, miss) in [
        ("*", &["https://a/", "https://8.8.8.8/"][..], &[][..]),
        ("Example.COM.", &["https://example.com/", "https://EXAMPLE.com./"], &["https://a.example.com/"]),
        (
            "*.Example.com",
            &["https://a.example.com/", "https://a.b.example.com./"],
            &["https://example.com/", "https://badexample.com/", "https://example.com.evil.example/"],
        ),
        ("bücher.example", &["https://xn--bcher-kva.example/", "https://BÜCHER.example/"], &[]),
        ("8.8.8.8", &["https://8.8.8.8/", "https://0x08080808/"], &["https://8.8.8.9/", "https://a/"]),
        ("8.8.8.0/24", &["https://8.8.8.255/"], &["https://8.8.9.0/"]),
        ("8.8.8.77/24", &["https://8.8.8.1/"], &["https://8.8.9.1/"]),
        ("0.0.0.0/0", &["https://8.8.8.8/"], &["https://[2606:4700::1]/"]),
        ("2606:4700::/32", &["https://[2606:4700:1::1]/"], &["https://[2606:4701::1]/"]),
        ("[2606:4700::1]", &["https://[2606:4700:0::1]/"], &["https://[2606:4700::2]/"]),
    ] {
        for purpose in [Purpose::Message, Purpose::Login] {
            let (deny, allow) = (with(&[], &[entry]), with(&[entry], &[]));
            for url in hit {
                assert_eq!(rule(&deny, url, purpose, &[]), Some(Rule::Denied), "{entry} {url}");
                assert_eq!(rule(&allow, url, purpose, &[]), None, "{entry} {url}");
            }
            for url in miss {
                assert_eq!(rule(&deny, url, purpose, &[]), None, "{entry} {url}");
                let addresses =
                    if url.contains(|c: char| c.is_ascii_digit()) { &[][..] } else { &["9.9.9.9"] };
                assert_eq!(rule(&allow, url, purpose, addresses), Some(Rule::NotAllowed), "{entry} {url}");
            }
        }
    }
}

#[test]
fn what_is_no_entry_is_an_error() {
    for text in [
        "",
        " ",
        ".",
        "*.",
        ".corp",
        "a..b",
        "*corp",
        "a.*.corp",
        "https://a.example",
        "a.example:443",
        "a/b",
        "10.",
        "127.1",
        "10.0.0.0/33",
        "10.0.0.0/+8",
        "10.0.0.0/",
        "/8",
        "::/129",
        "[::1",
        "*.10.0.0.1",
        "[10.0.0.1]",
    ] {
        assert!(text.parse::<Pattern>().is_err(), "{text:?}");
    }
}

#[test]
fn a_denial_wins() {
    let guard = with(&["*.example", "10.0.0.0/8"], &["bad.example", "10.6.6.0/24"]);
    for (url, addresses, expected) in [
        ("https://good.example/", &["8.8.8.8"][..], None),
        ("https://bad.example/", &["8.8.8.8"], Some(Rule::Denied)),
        ("https://good.example/", &["8.8.8.8", "10.6.6.6"], Some(Rule::NotPublic(Range::Private))),
        ("https://other.test/", &["8.8.8.8"], Some(Rule::NotAllowed)),
        ("https://db.corp/", &["10.0.0.5"], None),
        ("https://db.corp/", &["10.0.0.5", "10.6.6.6"], Some(Rule::Denied)),
        ("https://db.corp/", &["::ffff:10.6.6.6"], Some(Rule::Denied)),
        ("https://db.corp/", &["::ffff:10.0.0.5"], None),
        ("https://db.corp/", &["64:ff9b::10.6.6.6"], Some(Rule::Denied)),
        ("https://db.corp/", &["10.0.0.5", "8.8.8.8"], Some(Rule::NotAllowed)),
    ] {
        assert_eq!(rule(&guard, url, Purpose::Message, addresses), expected, "{url} {addresses:?}");
    }
}

#[test]
fn to_be_allowed_is_no_consent() {
    let guard = Guard { lists: lists(&["*", "db.corp", "10.0.0.0/8"], &[]), ..guard("https://db.corp/") };
    let private = Some(Rule::NotPublic(Range::Private));
    assert_eq!(rule(&guard, "https://db.corp/", Purpose::Message, &["10.0.0.5"]), private);
    assert_eq!(rule(&guard, "https://10.0.0.5/", Purpose::Message, &[]), private);
}

#[test]
fn localhost_can_be_denied_by_name_and_by_address() {
    for entry in ["localhost", "127.0.0.0/8"] {
        let guard = Guard { lists: lists(&[], &[entry]), ..guard("http://localhost:1/") };
        let found = rule(&guard, "http://localhost:1/", Purpose::Message, &["127.0.0.1"]);
        assert_eq!(found, Some(Rule::Denied), "{entry}");
    }
}

#[test]
fn a_proxy_hides_addresses_so_only_names_allow() {
    let proxied = |allow: &[&str], deny: &[&str]| Guard {
        proxies: proxies(&[("HTTPS_PROXY", "http://proxy.corp:3128")]),
        ..with(allow, deny)
    };
    let through = |guard: &Guard| permit(guard, "https://db.corp/").map(|permit| permit.route().clone());
    for allow in [&[][..], &["db.corp"], &["10.0.0.0/8", "*.corp"]] {
        assert!(matches!(through(&proxied(allow, &[])), Ok(Route::Through(_))), "{allow:?}");
    }
    assert_eq!(
        rule(&proxied(&["10.0.0.0/8"], &[]), "https://db.corp/", Purpose::Message, &[]),
        Some(Rule::NotAllowed)
    );
    assert_eq!(
        rule(&proxied(&[], &["*.corp"]), "https://db.corp/", Purpose::Message, &[]),
        Some(Rule::Denied)
    );
}

#[test]
fn a_block_of_mapped_addresses_is_one_of_ipv4() {
    let block: Block = "::ffff:10.0.0.0/104".parse().unwrap();
    assert_eq!(block, "10.0.0.0/8".parse().unwrap());
    assert!(block.contains("10.9.9.9".parse().unwrap()));
    assert!("::/0".parse::<Block>().unwrap().contains("::ffff:10.0.0.1".parse().unwrap()));
    assert_eq!(Block::new("10.0.0.0".parse().unwrap(), 33), None);
}
