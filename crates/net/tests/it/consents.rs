//! Whose word opens what.

use codewhale_mcp_net::{Author, GuardError, PrivateNetwork, Purpose, Range, Rule};

use crate::world::{guard, guard_of, refusal, rule};

const LOOPBACK: Option<Rule> = Some(Rule::NotPublic(Range::Loopback));
const PRIVATE: Option<Rule> = Some(Rule::NotPublic(Range::Private));
const LINK_LOCAL: Option<Rule> = Some(Rule::NotPublic(Range::LinkLocal));
const PURPOSES: [Purpose; 2] = [Purpose::Message, Purpose::Login];

/// The address that a host is written as, or that a name has here.
fn address(url: &str) -> &'static str {
    let host = url.split("//").nth(1).unwrap();
    [("127.", "127.0.0.1"), ("localhost", "127.0.0.1"), ("[::1]", "::1"), ("169.", "169.254.169.254")]
        .iter()
        .find_map(|(part, address)| host.contains(part).then_some(*address))
        .unwrap_or("10.0.0.5")
}

#[test]
fn allow_private_network_opens_one_origin_and_nothing_else() {
    let guard = guard_of("https://db.corp/mcp", Author::Operator, PrivateNetwork::Allowed);
    for purpose in PURPOSES {
        for url in ["https://db.corp/mcp", "https://db.corp:443/other", "https://DB.CORP/"] {
            for address in ["10.0.0.5", "fd00::5", "100.64.0.1", "127.0.0.1", "8.8.8.8", "64:ff9b::8.8.8.8"] {
                assert_eq!(rule(&guard, url, purpose, &[address]), None, "{url} {address}");
            }
        }
        for url in [
            "https://db.corp:8443/mcp",
            "https://db.corp./mcp",
            "https://auth.db.corp/",
            "https://corp/",
            "https://other.corp/",
            "https://10.0.0.5/",
        ] {
            assert_eq!(rule(&guard, url, purpose, &["10.0.0.5"]), PRIVATE, "{url}");
        }
        for url in ["http://db.corp/mcp", "http://db.corp:443/mcp"] {
            assert_eq!(rule(&guard, url, purpose, &["10.0.0.5"]), Some(Rule::PlainHttp), "{url}");
        }
        for url in ["https://localhost/", "https://127.0.0.1/"] {
            assert_eq!(rule(&guard, url, purpose, &["127.0.0.1"]), LOOPBACK, "{url}");
        }
    }
}

#[test]
fn a_private_name_needs_the_flag() {
    for (url, found) in [("https://db.corp/", "10.0.0.5"), ("http://nas:8080/", "10.9.9.9")] {
        assert_eq!(rule(&guard(url), url, Purpose::Message, &[found]), PRIVATE, "{url}");
        let flagged = guard_of(url, Author::Operator, PrivateNetwork::Allowed);
        assert_eq!(rule(&flagged, url, Purpose::Message, &[found]), None, "{url}");
    }
}

#[test]
fn what_the_operator_wrote_out_is_consent_for_that_endpoint() {
    for (url, elsewhere, rule_there) in [
        ("http://localhost:8080/mcp", "https://localhost:8081/", LOOPBACK),
        ("http://a.localhost/mcp", "https://a.localhost/", LOOPBACK),
        ("http://127.0.0.1:8080/", "https://127.0.0.1:8080/", LOOPBACK),
        ("https://[::1]:8443/", "https://127.0.0.1:8443/", LOOPBACK),
        ("https://10.0.0.5/", "https://10.0.0.5:444/", PRIVATE),
        ("http://10.0.0.5:8080/", "https://10.0.0.5:8080/", PRIVATE),
        ("http://169.254.169.254/", "https://169.254.169.254/", LINK_LOCAL),
    ] {
        let guard = guard(url);
        assert_eq!(rule(&guard, url, Purpose::Message, &[address(url)]), None, "{url}");
        assert_eq!(rule(&guard, elsewhere, Purpose::Message, &[]), rule_there, "{url} {elsewhere}");
        assert!(rule(&guard, "https://name.example/", Purpose::Message, &[address(url)]).is_some(), "{url}");
    }
}

#[test]
fn localhost_is_never_another_machine() {
    for private_network in [PrivateNetwork::Refused, PrivateNetwork::Allowed] {
        for url in ["http://localhost:1/", "http://x.localhost.:1/"] {
            let guard = guard_of(url, Author::Operator, private_network);
            for purpose in PURPOSES {
                assert_eq!(rule(&guard, url, purpose, &["127.0.0.1", "::1"]), None);
                for other in ["8.8.8.8", "10.0.0.5", "::ffff:127.0.0.1"] {
                    assert_eq!(rule(&guard, url, purpose, &["::1", other]), Some(Rule::Localhost), "{other}");
                }
            }
        }
    }
}

#[test]
fn a_definition_of_a_model_or_a_plugin_consents_to_nothing() {
    for author in [Author::Model, Author::Plugin] {
        for private_network in [PrivateNetwork::Refused, PrivateNetwork::Allowed] {
            for purpose in PURPOSES {
                for (url, expected) in [
                    ("http://localhost:8080/", LOOPBACK),
                    ("https://127.0.0.1/", LOOPBACK),
                    ("https://[::1]/", LOOPBACK),
                    ("https://10.0.0.5/", PRIVATE),
                    ("https://169.254.169.254/latest", LINK_LOCAL),
                    ("https://db.corp/", PRIVATE),
                    ("http://mcp.example/", Some(Rule::PlainHttp)),
                ] {
                    let guard = guard_of(url, author, private_network);
                    assert_eq!(rule(&guard, url, purpose, &[address(url)]), expected, "{author:?} {url}");
                }
                let guard = guard_of("http://localhost:8080/", author, private_network);
                assert_eq!(rule(&guard, "http://127.0.0.1:9000/", purpose, &["127.0.0.1"]), LOOPBACK);
                let guard = guard_of("https://mcp.example/", author, private_network);
                assert_eq!(rule(&guard, "https://mcp.example/", purpose, &["8.8.8.8"]), None);
            }
        }
    }
}

#[test]
fn a_login_for_a_loopback_server_may_go_to_loopback_and_no_further() {
    for url in ["http://localhost:8080/mcp", "https://a.localhost/", "http://127.0.0.1:1/", "http://[::1]:1/"]
    {
        let guard = guard(url);
        for there in
            ["http://localhost:9000/", "http://127.0.0.2/", "https://[::1]:9/", "http://auth.localhost/"]
        {
            let found = address(there);
            assert_eq!(rule(&guard, there, Purpose::Login, &[found]), None, "{url} {there}");
            assert!(rule(&guard, there, Purpose::Message, &[found]).is_some(), "{url} {there}");
        }
        for (there, found, expected) in [
            ("https://auth.test/", "127.0.0.1", None),
            ("https://auth.test/", "10.0.0.5", PRIVATE),
            ("https://10.0.0.5/", "10.0.0.5", PRIVATE),
            ("http://10.0.0.5/", "10.0.0.5", PRIVATE),
            ("http://169.254.169.254/", "169.254.169.254", LINK_LOCAL),
            ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1", LOOPBACK),
            ("http://0.0.0.0:9000/", "0.0.0.0", Some(Rule::NotPublic(Range::Unspecified))),
            ("http://auth.test/", "127.0.0.1", Some(Rule::PlainHttp)),
            ("http://auth.example/", "8.8.8.8", Some(Rule::PlainHttp)),
            ("https://auth.example/", "8.8.8.8", None),
        ] {
            assert_eq!(rule(&guard, there, Purpose::Login, &[found]), expected, "{url} {there}");
        }
    }
}

#[test]
fn metadata_of_a_server_leads_to_public_hosts_only() {
    let servers = [
        guard("https://mcp.example/"),
        guard_of("https://db.corp/", Author::Operator, PrivateNetwork::Allowed),
        guard("https://10.0.0.5/"),
    ];
    for guard in &servers {
        for (url, found, expected) in [
            ("http://169.254.169.254/latest/meta-data", "169.254.169.254", LINK_LOCAL),
            ("http://127.0.0.1:6379/", "127.0.0.1", LOOPBACK),
            ("http://localhost:6379/", "127.0.0.1", LOOPBACK),
            ("https://[::ffff:10.0.0.1]/", "::ffff:10.0.0.1", PRIVATE),
            ("https://10.0.0.1/", "10.0.0.1", PRIVATE),
            ("https://rebound.example/", "127.0.0.1", LOOPBACK),
            ("https://rebound.example/", "169.254.169.254", LINK_LOCAL),
            ("http://auth.example/", "8.8.8.8", Some(Rule::PlainHttp)),
            ("https://auth.example/", "8.8.8.8", None),
        ] {
            assert_eq!(rule(guard, url, Purpose::Login, &[found]), expected, "{url}");
        }
    }
}

#[test]
fn http_is_spoken_where_the_operator_wrote_it() {
    let guard = guard("http://mcp.example/");
    assert_eq!(rule(&guard, "http://mcp.example/x", Purpose::Message, &["8.8.8.8"]), None);
    assert_eq!(rule(&guard, "https://mcp.example/x", Purpose::Message, &["8.8.8.8"]), None);
    let refused = refusal(&guard, "http://mcp.example:8080/secret", Purpose::Message, &["8.8.8.8"]).unwrap();
    assert_eq!(refused.to_string(), "no request without encryption: mcp.example");
}

#[test]
fn what_is_written_in_a_url_is_judged_before_it_is_needed() {
    let judged = |server: &str, url: &str| {
        let judged = guard(server).judge_written(&url.parse().unwrap(), Purpose::Login);
        judged.err().map(|error| match error {
            GuardError::Refused(refusal) => refusal.rule,
            other => panic!("{other}"),
        })
    };
    let public = "https://mcp.example/";
    assert_eq!(judged(public, "https://auth.example/token"), None);
    assert_eq!(judged(public, "https://8.8.8.8/token"), None);
    assert_eq!(judged(public, "https://10.0.0.1/token"), PRIVATE);
    assert_eq!(judged(public, "http://127.0.0.1/token"), LOOPBACK);
    assert_eq!(judged("http://127.0.0.1:1/", "http://127.0.0.1:2/token"), None);
    assert_eq!(judged("http://127.0.0.1:1/", "https://10.0.0.1/token"), PRIVATE);
}
