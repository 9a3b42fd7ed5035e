//! Which names the server is asked by, and from which pages.

use codewhale_mcp_server::http::{Hosts, Options};
use serde_json::json;

use super::wire::{Request, ask};
use super::world::World;

fn listed() -> Options {
    let mut options = Options::default();
    options.hosts = Hosts::Listed(vec!["mcp.example".into(), "other.example:8443".into()]);
    options.origins = vec!["https://app.example".into()];
    options
}

fn any() -> Options {
    let mut options = Options::default();
    options.hosts = Hosts::Any;
    options
}

#[tokio::test]
async fn a_server_is_asked_by_its_own_names_and_from_pages_that_may() {
    type Rows<'a> = &'a [(&'a str, Option<&'a str>, u16)];
    let here: Rows<'_> = &[
        ("127.0.0.1", None, 200),
        ("localhost:3000", None, 200),
        ("LOCALHOST", None, 200),
        ("[::1]:80", None, 200),
        ("evil.example", None, 403),
        ("127.0.0.1.evil.example", None, 403),
        ("localhost@evil.example", None, 403),
        ("localhost:80:80", None, 403),
        ("localhost.", None, 403),
        ("", None, 403),
        ("127.0.0.1", Some("http://localhost:5173"), 200),
        ("127.0.0.1", Some("https://127.0.0.1"), 200),
        ("127.0.0.1", Some("https://evil.example"), 403),
        ("127.0.0.1", Some("http://localhost.evil.example"), 403),
        ("127.0.0.1", Some("http://localhost/path"), 403),
        ("127.0.0.1", Some("file://localhost"), 403),
        ("127.0.0.1", Some("null"), 403),
        ("evil.example", Some("http://evil.example"), 403),
    ];
    let by_list: Rows<'_> = &[
        ("mcp.example", None, 200),
        ("mcp.example:443", None, 200),
        ("other.example:8443", None, 200),
        ("other.example", None, 403),
        ("127.0.0.1", None, 403),
        ("mcp.example", Some("https://app.example"), 200),
        ("mcp.example", Some("https://app.example:444"), 403),
        ("mcp.example", Some("https://mcp.example"), 403),
        ("mcp.example", Some("http://localhost"), 403),
    ];
    let by_any: Rows<'_> = &[
        ("anything.example", None, 200),
        ("anything.example", Some("http://localhost"), 403),
        ("anything.example", Some("https://anything.example"), 403),
    ];
    for (options, rows) in [(Options::default(), here), (listed(), by_list), (any(), by_any)] {
        let world = World::start(options).await;
        for (host, origin, status) in rows {
            let mut request = Request::modern(1, "tools/list", json!({})).with("Host", host);
            if let Some(origin) = origin {
                request = request.with("Origin", origin);
            }
            let answer = ask(world.address, &request).await;
            assert_eq!(answer.head.status, *status, "{host:?} {origin:?}: {answer:?}");
            if *status == 403 {
                assert_eq!(answer.code(), -32600, "{host:?} {origin:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_rule_holds_for_every_method_and_for_names_in_two_places() {
    let world = World::start(Options::default()).await;
    for method in ["GET", "DELETE", "OPTIONS", "PUT"] {
        let answer = ask(world.address, &Request::new(method).with("Origin", "https://evil.example")).await;
        assert_eq!(answer.head.status, 403, "{method}");
    }
    let request = Request::modern(1, "tools/list", json!({}));
    let twice = request.clone().and("Host", "localhost");
    let absolute = request.clone().line("POST http://evil.example/mcp HTTP/1.1");
    let none = request.without("Host").line("POST /mcp HTTP/1.0");
    for (what, request) in [("two hosts", twice), ("another one in the address", absolute), ("none", none)] {
        let status = ask(world.address, &request).await.head.status;
        assert!(status == 403 || status == 400, "{what}: {status}");
    }
}
