//! Statuses, redirects, and 200 with something else than an answer.

use super::client::{POST, ask_modern, send_modern};
use super::peer::{Answer, Peer, request};
use codewhale_testkit::HttpFake;
use serde_json::json;

fn list(fake: &HttpFake) -> Answer {
    ask_modern(fake.port(), 1, "tools/list", json!({}))
}

fn echo(fake: &HttpFake) -> Answer {
    ask_modern(fake.port(), 2, "tools/call", json!({"name": "echo", "arguments": {"text": "x"}}))
}

#[test]
fn refusals_carry_their_challenges() {
    let fake = HttpFake::start("401");
    assert_eq!(list(&fake).status, 401);
    assert_eq!(list(&fake).header("www-authenticate"), Some(r#"Bearer realm="fake""#));
    let fake = HttpFake::start_with(&["401", "--challenge", "Basic", "--token", "t 1"]);
    assert_eq!(list(&fake).header("www-authenticate"), Some("Basic"));
    let authorized = [POST[0], POST[1], ("Authorization", "Bearer t 1")];
    assert_ne!(request(fake.port(), "POST /mcp", &authorized, "{}").status, 401);
    assert!(list(&HttpFake::start("403")).header("www-authenticate").unwrap().contains("insufficient_scope"));
    let fake = HttpFake::start("403 --at tools/call --challenge Bearer");
    assert_eq!((list(&fake).status, echo(&fake).status), (200, 403));
    assert_eq!(HttpFake::start("401 --token x --challenge y").count("GET"), 0);
}

#[test]
fn busy_servers_say_when_to_come_back() {
    for (mode, status, retry) in [
        ("429 --times 1 --retry-after 7", 429, "7"),
        ("503 --times 1 --at tools/list --retry-after soon", 503, "soon"),
        ("429 --times 1 --at tools/list", 429, "1"),
        ("503 --times 1", 503, "1"),
    ] {
        let fake = HttpFake::start(mode);
        let answer = list(&fake);
        assert_eq!((answer.status, answer.header("retry-after")), (status, Some(retry)), "{mode}");
        assert_eq!(list(&fake).status, 200, "{mode}");
    }
    let fake = HttpFake::start("503");
    assert_eq!([list(&fake).status, list(&fake).status, list(&fake).status], [503, 503, 200]);
}

#[test]
fn an_error_may_be_for_one_method() {
    for (mode, status, body) in [
        ("500-html --at tools/call", 500, "<!DOCTYPE"),
        ("502-empty --at tools/call", 502, ""),
        ("status --status 418 --type text/plain --body tea --retry-after 3 --at tools/call", 418, "tea"),
    ] {
        let fake = HttpFake::start(mode);
        assert_eq!(list(&fake).status, 200, "{mode}");
        let answer = echo(&fake);
        assert_eq!(answer.status, status, "{mode}");
        assert!(answer.body.starts_with(body) && answer.body.is_empty() == body.is_empty(), "{mode}");
    }
    let answer = list(&HttpFake::start("status --type text/plain --retry-after 3"));
    assert_eq!(answer.status, 418);
    assert_eq!(
        (answer.header("content-type"), answer.header("retry-after")),
        (Some("text/plain"), Some("3"))
    );
    assert_eq!(list(&HttpFake::start("500-html")).status, 500);
    assert_eq!(list(&HttpFake::start("502-empty")).status, 502);
}

#[test]
fn a_server_may_be_elsewhere() {
    let at = |fake: &HttpFake, path: &str| {
        let (headers, body) = super::client::modern(1, "tools/list", json!({}));
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        request(fake.port(), &format!("POST {path}"), &headers, &body)
    };
    for (mode, status, first, second) in [
        ("redirect-307", 307, "/hop/1", None),
        ("redirect-307 --hops 2", 307, "/hop/1", Some("/hop/2")),
        ("redirect-308-slash", 308, "/mcp/", None),
        ("redirect-301", 301, "/mcp/", None),
        ("redirect-302", 302, "/mcp/", None),
        ("redirect-303", 303, "/mcp/", None),
        ("redirect-loop", 307, "/mcp", Some("/mcp")),
        ("redirect-other-origin --to http://a.test/x", 307, "http://a.test/x", None),
    ] {
        let fake = HttpFake::start(mode);
        let answer = at(&fake, "/mcp");
        assert_eq!((answer.status, answer.header("location")), (status, Some(first)), "{mode}");
        if first.starts_with('/') {
            assert_eq!(at(&fake, first).header("location"), second, "{mode}");
        }
    }
    let fake = HttpFake::start("redirect-other-origin");
    let there = format!("http://127.0.0.1:{}/mcp", fake.other_port());
    assert_eq!(list(&fake).header("location"), Some(there.as_str()));
    assert_eq!(ask_modern(fake.other_port(), 1, "tools/list", json!({})).status, 200);
    assert_eq!(fake.elsewhere().len(), 1);
    assert_eq!(list(&HttpFake::start("redirect-nowhere")).header("location"), None);
}

#[test]
fn a_success_may_be_none() {
    assert!(list(&HttpFake::start("page")).body.contains("<html>"));
    for (mode, status, body) in [
        ("empty-200", 200, ""),
        ("empty-202", 202, ""),
        ("no-json", 200, r#"{"jsonrpc":"2.0","id":1,"result":{"#),
    ] {
        let fake = HttpFake::start(mode);
        assert_eq!(list(&fake).status, 200);
        let answer = echo(&fake);
        assert_eq!((answer.status, answer.body.as_str()), (status, body), "{mode}");
    }
}

#[test]
fn content_types_are_as_said() {
    for (mode, json, events) in [
        ("type-charset", Some("Application/JSON;charset=utf-8"), Some("Text/Event-Stream; charset=UTF-8")),
        ("type-missing", None, None),
        ("type-html", Some("text/html"), Some("text/html")),
    ] {
        let fake = HttpFake::start(mode);
        assert_eq!((list(&fake).status, list(&fake).header("content-type")), (200, json), "{mode}");
        assert_eq!((echo(&fake).status, echo(&fake).header("content-type")), (200, events), "{mode}");
        assert!(echo(&fake).body.contains("data: {"));
    }
}

#[test]
fn connections_may_end_without_a_word() {
    let fake = HttpFake::start("connection-dropped");
    let mut peer = send_modern(fake.port(), 1, "tools/list", json!({}));
    let answer = peer.answer();
    assert!(answer.is_whole && answer.header("connection").is_none());
    assert_eq!(peer.raw(1), b"");
    fake.wait(|fake| fake.open_connections() == 0);
    Peer::connect(fake.port());
}
