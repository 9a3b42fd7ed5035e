//! Names of resources, and where documents about them are.

use codewhale_mcp_auth::discovery::{issuer_locations, resource_locations};
use codewhale_mcp_auth::{canonical, covers, endpoint};
use url::Url;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

#[test]
fn a_server_names_a_resource_without_what_means_nothing() {
    for (server, name) in [
        ("https://H.test", "https://h.test"),
        ("https://h.test/", "https://h.test"),
        ("https://h.test:443/mcp", "https://h.test/mcp"),
        ("https://h.test:8443/mcp/", "https://h.test:8443/mcp/"),
        ("HTTPS://me:pw@h.test/Mcp?key=1#x", "https://h.test/Mcp"),
        ("http://localhost:80/a/b", "http://localhost/a/b"),
    ] {
        assert_eq!(canonical(&url(server)), name);
    }
}

#[test]
fn metadata_are_about_the_server_or_what_is_above_it_in_its_origin() {
    for (resource, server, expected) in [
        ("https://h.test/mcp", "https://h.test/mcp", true),
        ("https://h.test", "https://h.test/mcp", true),
        ("https://h.test/", "https://h.test/mcp", true),
        ("https://h.test", "https://h.test", true),
        ("https://h.test/", "https://h.test", true),
        ("https://h.test/a", "https://h.test/a/b", true),
        ("https://h.test/a/", "https://h.test/a", true),
        ("https://H.test:443/mcp", "https://h.test/mcp", true),
        ("https://h.test/mc", "https://h.test/mcp", false),
        ("https://h.test/mcp/x", "https://h.test/mcp", false),
        ("https://h.test/MCP", "https://h.test/mcp", false),
        ("https://other.test/mcp", "https://h.test/mcp", false),
        ("https://h.test.evil.test/mcp", "https://h.test/mcp", false),
        ("http://h.test/mcp", "https://h.test/mcp", false),
        ("https://h.test:444/mcp", "https://h.test/mcp", false),
        ("https://me@h.test/mcp", "https://h.test/mcp", false),
        ("https://h.test/mcp#x", "https://h.test/mcp", false),
        ("https://h.test/mcp?a=1", "https://h.test/mcp", false),
        ("https://h.test/mcp?a=1", "https://h.test/mcp?a=1", true),
        ("urn:mcp", "https://h.test/mcp", false),
        ("", "https://h.test/mcp", false),
    ] {
        assert_eq!(covers(resource, &url(server)), expected, "{resource} of {server}");
    }
}

fn check_resource(server: &str, told: Option<&str>, expected: &[&str]) {
    let found = resource_locations(&url(server), told).unwrap();
    assert_eq!(found.iter().map(Url::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn a_servers_metadata_are_where_it_says_then_at_its_path_then_at_its_root() {
    let (path, root) = (
        "https://h.test/.well-known/oauth-protected-resource/p/mcp",
        "https://h.test/.well-known/oauth-protected-resource",
    );
    check_resource("https://h.test/p/mcp", None, &[path, root]);
    check_resource("https://h.test/p/mcp/", None, &[path, root]);
    check_resource("https://me:pw@h.test/p/mcp#x", None, &[path, root]);
    check_resource("https://h.test/p/mcp?a=1", None, &[&format!("{path}?a=1"), root]);
    check_resource("https://h.test", None, &[root]);
    check_resource("https://h.test/p/mcp", Some("https://h.test/x"), &["https://h.test/x", path, root]);
    check_resource("https://h.test/p/mcp", Some(path), &[path, root]);
    check_resource("https://h.test/", Some("https://o.test/x"), &["https://o.test/x", root]);
    for told in ["http://o.test/x", "file:///etc/passwd", "x", "https://me@o.test/x", "javascript:alert(1)"] {
        assert!(resource_locations(&url("https://h.test/mcp"), Some(told)).is_err(), "{told}");
    }
    // What is spoken to without encryption may say so of its own metadata.
    let own = "http://10.0.0.1/.well-known/x";
    assert_eq!(resource_locations(&url("http://10.0.0.1/mcp"), Some(own)).unwrap()[0].as_str(), own);
}

#[test]
fn an_issuers_metadata_are_in_three_places_or_in_two() {
    let places = |issuer: &str| {
        let found = issuer_locations(issuer).unwrap();
        found.iter().map(|url| url.as_str().to_owned()).collect::<Vec<_>>()
    };
    let (oauth, openid) = (".well-known/oauth-authorization-server", ".well-known/openid-configuration");
    for issuer in ["https://a.test/t/1", "https://a.test/t/1/"] {
        assert_eq!(
            places(issuer),
            [
                format!("https://a.test/{oauth}/t/1"),
                format!("https://a.test/{openid}/t/1"),
                format!("https://a.test/t/1/{openid}"),
            ]
        );
    }
    for issuer in ["https://a.test", "https://a.test/"] {
        assert_eq!(places(issuer), [format!("https://a.test/{oauth}"), format!("https://a.test/{openid}")]);
    }
    for issuer in ["http://a.test", "https://a.test?x", "https://a.test#x", "a.test", "file:///a"] {
        assert!(issuer_locations(issuer).is_err(), "{issuer}");
    }
    assert!(issuer_locations("http://127.0.0.1:1").is_ok());
}

#[test]
fn endpoints_are_encrypted_or_on_this_machine() {
    for good in ["https://a.test/x?y", "http://localhost:1/x", "http://127.0.0.1/x", "http://[::1]/x"] {
        assert_eq!(endpoint("token endpoint", good).unwrap(), url(good));
    }
    for bad in [
        "http://a.test/x",
        "http://10.0.0.1/x",
        "http://169.254.169.254/latest",
        "http://localhost.evil.test/x",
        "file:///etc/passwd",
        "smb://a.test/x",
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "https://user@a.test/x",
        "https://a.test/x#y",
        "//a.test/x",
        "$(calc)",
    ] {
        let error = endpoint("token endpoint", bad).unwrap_err();
        assert!(error.to_string().starts_with("the token endpoint "), "{error}");
    }
}
