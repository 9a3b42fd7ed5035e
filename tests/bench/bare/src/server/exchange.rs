//! One HTTP request and its answer.

use std::io::Write as _;

use super::answer::{Answered, Answers};
use super::http::Way;

/// The bytes of the request that `inbox` begins with, once all of them are there; its answer is written behind what
/// is in `out`. `connections` is how many were ever accepted.
pub(super) fn exchange(
    answers: &Answers,
    way: Way,
    connections: usize,
    inbox: &[u8],
    out: &mut Vec<u8>,
) -> Option<usize> {
    let head_end = inbox.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&inbox[..head_end]).ok()?;
    let length = header(head, "content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let message = inbox.get(head_end..head_end + length)?;
    let write = |out: &mut Vec<u8>, text: std::fmt::Arguments<'_>| {
        out.write_fmt(text).expect("a vector takes everything");
    };
    if head.starts_with("GET /connections ") {
        let count = connections.to_string();
        write(out, format_args!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{count}", count.len()));
    } else if head.starts_with("DELETE ") {
        out.extend_from_slice(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    } else if !head.starts_with("POST ") {
        out.extend_from_slice(b"HTTP/1.1 405 Method Not Allowed\r\nallow: POST\r\ncontent-length: 0\r\n\r\n");
    } else if header(head, "content-length").is_none() {
        out.extend_from_slice(b"HTTP/1.1 411 Length Required\r\ncontent-length: 0\r\n\r\n");
    } else {
        let mut body = way.before().to_vec();
        if answers.answer(message, &mut body) == Answered::No {
            out.extend_from_slice(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
            return Some(head_end + length);
        }
        match way {
            Way::Json => write(
                out,
                format_args!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                ),
            ),
            Way::Sse => {
                body.extend_from_slice(b"\n\n");
                write(
                    out,
                    format_args!(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
                        body.len()
                    ),
                );
                body.extend_from_slice(b"\r\n0\r\n\r\n");
            }
        }
        out.extend_from_slice(&body);
    }
    Some(head_end + length)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split("\r\n").skip(1).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(way: Way, request: &str) -> (Option<usize>, String) {
        let answers = Answers { modern: false, pages: vec![b"{}".to_vec()] };
        let mut out = Vec::new();
        let used = exchange(&answers, way, 3, request.as_bytes(), &mut out);
        (used, String::from_utf8(out).unwrap())
    }

    const PING: &str = "POST /mcp HTTP/1.1\r\nContent-Length: 24\r\n\r\n{\"id\":1,\"method\":\"ping\"}";

    #[test]
    fn a_message_is_answered_once_it_is_whole() {
        let (used, out) = answer(Way::Json, &format!("{PING}POST"));
        assert_eq!(used, Some(PING.len()));
        assert!(
            out.ends_with("content-length: 36\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
            "{out}"
        );
        for length in 0..PING.len() {
            assert_eq!(answer(Way::Json, &PING[..length]), (None, String::new()));
        }
    }

    #[test]
    fn an_event_holds_the_same_message() {
        let (_, out) = answer(Way::Sse, PING);
        let event = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
        assert!(out.ends_with(&format!("\r\n\r\n{:x}\r\n{event}\r\n0\r\n\r\n", event.len())), "{out}");
    }

    #[test]
    fn other_requests_have_an_answer_too() {
        for (request, status) in [
            ("GET /mcp HTTP/1.1\r\n\r\n", "405"),
            ("DELETE /mcp HTTP/1.1\r\n\r\n", "200"),
            ("POST /mcp HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n", "411"),
            ("POST /mcp HTTP/1.1\r\ncontent-length: 14\r\n\r\n{\"method\":\"x\"}", "202"),
        ] {
            assert!(answer(Way::Json, request).1.starts_with(&format!("HTTP/1.1 {status} ")), "{request}");
        }
        assert!(answer(Way::Json, "GET /connections HTTP/1.1\r\n\r\n").1.ends_with("\r\n\r\n3"));
    }
}
