//! The HTTP modes, spoken to over a raw socket.

use crate::play::{OPEN, Play, call, list};
use std::io::{Read, Write};
use std::net::TcpStream;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

struct Server {
    play: Play,
    port: u16,
}

impl Server {
    fn start(arguments: &str) -> Server {
        let mut play = Play::start(arguments);
        let port = play.hear().strip_prefix("PORT ").unwrap().parse().unwrap();
        Server { play, port }
    }

    /// One request on a connection of its own; the whole answer.
    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(crate::play::DEADLINE)).unwrap();
        let length = body.len();
        write!(stream, "{head}\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = Vec::new();
        let mut byte = [0; 4096];
        while !complete(&answer) {
            match stream.read(&mut byte).unwrap() {
                0 => break,
                count => answer.extend_from_slice(&byte[..count]),
            }
        }
        String::from_utf8(answer).unwrap()
    }

    fn post(&self, body: &str) -> String {
        self.send("POST /mcp HTTP/1.1", body)
    }

    fn end(mut self) {
        self.play.follow("end 0");
    }
}

/// Whether a response has arrived whole, by length or by its last chunk.
fn complete(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    match head.split("Content-Length: ").nth(1) {
        Some(length) => body.len() >= length.lines().next().unwrap().parse().unwrap(),
        None => body.ends_with("0\r\n\r\n"),
    }
}

/// The body of a chunked answer.
fn dechunked(answer: &str) -> String {
    let (_, mut rest) = answer.split_once("\r\n\r\n").unwrap();
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        body.push_str(&after[..size]);
        rest = &after[size..][2..];
    }
    body
}

#[test]
fn json_answers_requests_and_accepts_notifications() {
    let server = Server::start("http-json");
    let answer = server.post(OPEN);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Content-Type: application/json"));
    assert!(answer.contains(r#""protocolVersion":"2025-11-25""#));
    assert!(
        server.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).starts_with("HTTP/1.1 202")
    );
    assert!(server.post(&call("1", "slow", r#"{"ms":5}"#)).contains("done after 5 ms"));
    assert!(server.send("GET /mcp HTTP/1.1", "").starts_with("HTTP/1.1 405"));
    server.end();
}

#[test]
fn modern_errors_have_their_own_status() {
    let server = Server::start("http-json --era modern");
    assert!(server.post(&list("1", "")).starts_with("HTTP/1.1 400"));
    let unknown = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{{META}}}}}"#);
    assert!(server.post(&unknown).starts_with("HTTP/1.1 404"));
}

#[test]
fn a_strict_server_refuses_headers() {
    let server = Server::start("http-json --strict --session");
    assert!(server.post(OPEN).starts_with("HTTP/1.1 415"));
    let typed = "POST / HTTP/1.1\r\nContent-Type: application/json";
    assert!(server.send(typed, OPEN).starts_with("HTTP/1.1 406"));
    let accepting = format!("{typed}\r\nAccept: application/json, text/event-stream");
    let versioned = format!("{accepting}\r\nMCP-Protocol-Version: 2025-11-25");
    assert!(server.send(&versioned, OPEN).starts_with("HTTP/1.1 400"));
    assert!(server.send(&accepting, OPEN).contains("MCP-Session-Id: 1"));
    assert!(server.send(&versioned, &list("1", "")).starts_with("HTTP/1.1 400"));
    let session = format!("{versioned}\r\nmcp-session-id: 1");
    assert!(server.send(&session, &list("1", "")).starts_with("HTTP/1.1 200"));
}

#[test]
fn events_come_in_every_shape_and_read_the_same() {
    for shape in [
        "",
        " --cut byte",
        " --eol crlf --cut crlf",
        " --eol cr",
        " --eol mixed --spread",
        " --unnamed --no-space --bom --comment --prime",
    ] {
        let server = Server::start(&format!("http-sse{shape}"));
        let answer = server.post(&call("1", "slow", r#"{"ms":2,"every":1}"#));
        assert!(answer.contains("Content-Type: text/event-stream"), "{answer}");
        let body = dechunked(&answer).replace("\r\n", "\n").replace('\r', "\n");
        let mut messages = Vec::new();
        for event in body.split("\n\n") {
            let data = event.lines().filter_map(|line| line.strip_prefix("data:")).collect::<String>();
            if !data.is_empty() {
                messages.push(serde_json::from_str::<serde_json::Value>(&data).unwrap());
            }
        }
        assert_eq!(messages.len(), 3, "{shape}: {body}");
        assert_eq!(messages[2]["id"], 1, "{shape}");
        assert_eq!(body.contains("retry: 500"), shape.contains("prime"));
    }
}

#[test]
fn leaving_cancels_a_modern_call() {
    let mut server = Server::start("http-sse --era modern");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"slow","arguments":{{"ms":600000,"every":600000}},{META}}}}}"#
    );
    let length = body.len();
    write!(stream, "POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    stream.read_exact(&mut [0; 15]).unwrap();
    drop(stream);
    assert_eq!(server.play.first_error(), "cancelled 3");
}

#[test]
fn a_session_is_lost_once() {
    let server = Server::start("http-404-session --after 1 --body gone");
    assert!(server.post(OPEN).contains("MCP-Session-Id: 1"));
    let session = |id: u32| format!("POST / HTTP/1.1\r\nMcp-Session-Id: {id}");
    assert!(server.send(&session(1), &list("1", "")).starts_with("HTTP/1.1 200"));
    let lost = server.send(&session(1), &list("2", ""));
    assert!(lost.starts_with("HTTP/1.1 404") && lost.ends_with("gone"));
    assert!(server.post(OPEN).contains("MCP-Session-Id: 2"));
    assert!(server.send(&session(2), &list("3", "")).starts_with("HTTP/1.1 200"));
}

#[test]
fn refusals_carry_their_challenges() {
    let server = Server::start("http-401");
    assert!(server.post(OPEN).contains("WWW-Authenticate: Bearer realm=\"fake\""));
    let authorized = "POST / HTTP/1.1\r\nAuthorization: Bearer good-token";
    assert!(server.send(authorized, OPEN).starts_with("HTTP/1.1 200"));
    let server = Server::start("http-403");
    let answer = server.post(OPEN);
    assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("insufficient_scope"));
}

#[test]
fn redirects_count_their_hops() {
    let server = Server::start("http-redirect --hops 2 --status 308");
    let answer = server.post(OPEN);
    assert!(answer.starts_with("HTTP/1.1 308") && answer.contains("Location: /hop/1\r\n"), "{answer}");
    assert!(server.send("POST /hop/1 HTTP/1.1", OPEN).contains("Location: /hop/2\r\n"));
    assert!(server.send("POST /hop/2 HTTP/1.1", OPEN).starts_with("HTTP/1.1 200"));
}

#[test]
fn one_answer_to_everything() {
    let server =
        Server::start("http-status --status 429 --type text/html --body <p>slow</p> --retry-after 1");
    let answer = server.post(OPEN);
    assert!(answer.starts_with("HTTP/1.1 429") && answer.contains("Retry-After: 1"), "{answer}");
    assert!(answer.contains("Content-Type: text/html") && answer.ends_with("<p>slow</p>"));
}

#[test]
fn a_hanging_server_takes_the_request_and_keeps_the_connection() {
    let server = Server::start("http-hang");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    write!(stream, "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").unwrap();
    stream.set_nonblocking(true).unwrap();
    let nothing = stream.read(&mut [0]);
    assert_eq!(nothing.unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    server.end();
}
