//! Which requests take a proxy of the environment.

use codewhale_mcp_net::{
    Author, Guard, GuardError, PrivateNetwork, Proxies, ProxyProblem, Purpose, Range, Route, Rule,
};

use crate::world::{guard, guard_of, origin, permit, proxies, rule};

/// The proxy for a URL, as an origin.
fn of(proxies: &Proxies, url: &str) -> Option<String> {
    proxies.of(&origin(url)).unwrap().map(|proxy| proxy.origin.to_string())
}

#[test]
fn variables_count_in_both_spellings_and_in_their_order() {
    let (http, https) = ("http://a.example/", "https://a.example/");
    for (environment, for_http, for_https) in [
        (&[][..], None, None),
        (&[("HTTP_PROXY", "http://u:1")], Some("http://u:1"), None),
        (&[("http_proxy", "http://l:1"), ("HTTP_PROXY", "http://u:1")], Some("http://l:1"), None),
        (&[("HTTPS_PROXY", "http://u:1")], None, Some("http://u:1")),
        (&[("https_proxy", "https://l"), ("HTTPS_PROXY", "http://u:1")], None, Some("https://l")),
        (&[("https_proxy", ""), ("HTTPS_PROXY", "http://u:1")], None, Some("http://u:1")),
        (&[("ALL_PROXY", "http://u:1")], Some("http://u:1"), Some("http://u:1")),
        (&[("all_proxy", "l:1"), ("ALL_PROXY", "u:1")], Some("http://l:1"), Some("http://l:1")),
        (&[("ALL_PROXY", "u:1"), ("https_proxy", "l:2")], Some("http://u:1"), Some("http://l:2")),
        (&[("HTTP_PROXY", "u:1"), ("REQUEST_METHOD", "GET")], None, None),
        (
            &[("HTTP_PROXY", "u:1"), ("ALL_PROXY", "x:1"), ("REQUEST_METHOD", "GET")],
            Some("http://x:1"),
            Some("http://x:1"),
        ),
        (&[("http_proxy", "l:1"), ("REQUEST_METHOD", "GET")], Some("http://l:1"), None),
        (&[("HTTPS_PROXY", "proxy.corp/path")], None, Some("http://proxy.corp")),
        (&[("HTTPS_PROXY", " [fd00::1]:3128 ")], None, Some("http://[fd00::1]:3128")),
    ] {
        let proxies = proxies(environment);
        let found = (of(&proxies, http), of(&proxies, https));
        assert_eq!((found.0.as_deref(), found.1.as_deref()), (for_http, for_https), "{environment:?}");
    }
}

#[test]
fn h24_no_proxy_names_hosts_in_many_forms() {
    for (list, direct, proxied) in [
        ("*", &["http://a.example/", "http://[fd00::1]/"][..], &[][..]),
        (
            "corp",
            &["http://corp/", "http://A.Corp./", "http://a.b.corp:81/"],
            &["http://notcorp/", "http://corp.x/"],
        ),
        (".corp", &["http://corp/", "http://a.corp/"], &["http://notcorp/"]),
        ("*.corp,10.0.0.0/8", &["http://a.corp/", "http://10.1.2.3/"], &["http://corp/", "http://11.0.0.1/"]),
        (
            "a.example , b.example:8080",
            &["http://a.example:99/", "http://b.example:8080/"],
            &["http://b.example/"],
        ),
        ("a.example b.example", &["http://a.example/", "http://x.b.example/"], &["http://c.example/"]),
        ("a.example:443", &["https://a.example/"], &["http://a.example/", "https://a.example:444/"]),
        ("10.0.0.5", &["http://10.0.0.5/", "http://0x0a000005/"], &["http://10.0.0.6/"]),
        ("10.0.0.5:81", &["http://10.0.0.5:81/"], &["http://10.0.0.5/"]),
        ("fd00::1", &["http://[fd00::1]:1/"], &["http://[fd00::2]/"]),
        ("[fd00::1]:81", &["http://[fd00::1]:81/"], &["http://[fd00::1]/"]),
        ("fd00::/8", &["http://[fd12::1]/"], &["http://[fe00::1]/", "http://10.0.0.1/"]),
        ("bücher.example", &["http://xn--bcher-kva.example/"], &[]),
        (",, http://a.example, 10., <local>, a:b, .", &[], &["http://a.example/", "http://10.0.0.1/"]),
        ("", &[], &["http://a.example/"]),
    ] {
        for name in ["NO_PROXY", "no_proxy"] {
            let proxies = proxies(&[("ALL_PROXY", "http://proxy.corp:3128"), (name, list)]);
            direct.iter().for_each(|url| assert_eq!(of(&proxies, url), None, "{list} {url}"));
            let proxy = Some("http://proxy.corp:3128");
            proxied.iter().for_each(|url| assert_eq!(of(&proxies, url).as_deref(), proxy, "{list} {url}"));
        }
    }
}

#[test]
fn credentials_of_a_proxy_are_decoded_and_do_not_print() {
    for (url, credentials) in [
        ("http://us%40er:p%3Aw%2F@proxy:1", Some(&b"us@er:p:w/"[..])),
        ("user@proxy:1", Some(b"user:")),
        ("http://:hunter2@proxy:1", Some(b":hunter2")),
        ("http://u:%ff@proxy:1", Some(b"u:\xff")),
        ("http://proxy:1", None),
    ] {
        let proxies = proxies(&[("HTTPS_PROXY", url)]);
        let proxy = proxies.of(&origin("https://a/")).unwrap().unwrap();
        assert_eq!(proxy.credentials.as_ref().map(|secret| secret.expose().as_slice()), credentials, "{url}");
        let shown = format!("{proxies:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("us@er"), "{shown}");
        assert!(credentials.is_none() || shown.contains("REDACTED"), "{shown}");
    }
}

#[test]
fn a_proxy_that_cannot_be_used_is_told_of_where_it_is_needed() {
    for (value, problem) in [
        ("socks5://u:hunter2@proxy:1080", ProxyProblem::Scheme),
        ("http://u:hunter2@proxy:port", ProxyProblem::NoUrl),
        ("http://", ProxyProblem::NoUrl),
    ] {
        let proxies =
            proxies(&[("ALL_PROXY", value), ("http_proxy", "proxy:1"), ("no_proxy", "near.example")]);
        assert!(of(&proxies, "http://a.example/").is_some());
        assert_eq!(of(&proxies, "https://near.example/"), None);
        let guard = Guard { proxies, ..guard("https://a.example/") };
        let Err(GuardError::Proxy(error)) = permit(&guard, "https://a.example/") else { panic!("{value}") };
        assert_eq!((error.variable, error.problem), ("ALL_PROXY", problem));
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}

#[test]
fn h24_only_the_configured_origin_takes_the_proxy() {
    let proxies = proxies(&[("ALL_PROXY", "http://127.0.0.1:3128"), ("NO_PROXY", "*.corp")]);
    let is_proxied = |server: &str, author, url: &str, purpose| {
        let guard = guard_of(server, author, PrivateNetwork::Refused);
        let guard = Guard { proxies: proxies.clone(), ..guard };
        let permit = guard.permit(&url.parse().unwrap(), purpose).unwrap();
        matches!(permit.route(), Route::Through(_))
    };
    let server = "http://mcp.example/mcp";
    for purpose in [Purpose::Message, Purpose::Login] {
        assert!(is_proxied(server, Author::Operator, "http://mcp.example/other", purpose));
        for elsewhere in ["https://mcp.example/mcp", "https://auth.example/", "https://mcp.example:444/"] {
            assert!(!is_proxied(server, Author::Operator, elsewhere, purpose), "{elsewhere}");
        }
        for author in [Author::Plugin, Author::Model] {
            assert!(!is_proxied("https://mcp.example/", author, "https://mcp.example/", purpose));
        }
        for near in ["http://localhost:8080/", "http://127.0.0.1:8080/", "https://[::1]/", "https://db.corp/"]
        {
            assert!(!is_proxied(near, Author::Operator, near, purpose), "{near}");
        }
    }
}

#[test]
fn a_host_without_a_proxy_is_reached_directly_and_guarded() {
    let proxies = proxies(&[("ALL_PROXY", "http://proxy:3128"), ("NO_PROXY", "db.corp")]);
    let guard = Guard { proxies, ..guard("https://db.corp/") };
    let found = rule(&guard, "https://db.corp/", Purpose::Message, &["10.0.0.5"]);
    assert_eq!(found, Some(Rule::NotPublic(Range::Private)));
}
