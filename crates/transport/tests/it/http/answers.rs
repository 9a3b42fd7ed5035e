//! What comes back: facts, whatever the status.

use std::time::Duration;

use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Connector, Exchange, Media, Verb, Way};

use super::site::{body, connector, endpoint, exchanges, post};
use crate::server::{Reply, Server, reply, soon};

struct Case {
    status: &'static str,
    headers: &'static [&'static str],
    media: Media,
    retry_after: Option<u64>,
    challenges: &'static [&'static str],
}

async fn check(Case { status, headers, media, retry_after, challenges }: Case) {
    let server = Server::start(move |_| reply(status, headers, b"what it says")).await;
    let link = exchanges(connector(endpoint(&server.url("/"))).open(Way::First).await.unwrap());
    for verb in [post("{}").verb, Verb::Get] {
        let answer = soon(link.carrier.exchange(Exchange { verb, headers: Vec::new() })).await.unwrap();
        assert_eq!(answer.status.to_string(), status[..3]);
        assert_eq!(answer.media, media, "{headers:?}");
        assert_eq!(answer.retry_after, retry_after.map(Duration::from_secs), "{headers:?}");
        assert_eq!(answer.challenges, challenges);
        assert_eq!(answer.session, None);
        assert_eq!(body(answer).await, "what it says");
    }
}

#[tokio::test]
async fn h05_a_status_comes_with_its_body_whatever_the_kind() {
    let cases = [
        ("401 Unauthorized", &[][..], Media::Unnamed, None, &[][..]),
        ("502 Bad Gateway", &["Content-Type: text/html"], Media::Other("text/html".to_owned()), None, &[]),
        ("429 Too Many Requests", &["Retry-After: 7"], Media::Unnamed, Some(7), &[]),
        ("503 Unavailable", &["Retry-After: 99999999999999999999999"], Media::Unnamed, Some(3600), &[]),
        ("503 Unavailable", &["Retry-After: soon"], Media::Unnamed, None, &[]),
        ("503 Unavailable", &["Retry-After: -1"], Media::Unnamed, None, &[]),
        (
            "503 Unavailable",
            &["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:50:07 GMT"],
            Media::Unnamed,
            Some(30),
            &[],
        ),
        (
            "503 Unavailable",
            &["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:00:00 GMT"],
            Media::Unnamed,
            Some(0),
            &[],
        ),
        ("503 Unavailable", &["Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"], Media::Unnamed, Some(3600), &[]),
        ("200 OK", &["Content-Type: "], Media::Unnamed, None, &[]),
        (
            "403 Forbidden",
            &["WWW-Authenticate: Bearer scope=\"a b\"", "www-authenticate: DPoP algs=\"ES256\""],
            Media::Unnamed,
            None,
            &["Bearer scope=\"a b\"", "DPoP algs=\"ES256\""],
        ),
    ];
    for (status, headers, media, retry_after, challenges) in cases {
        check(Case { status, headers, media, retry_after, challenges }).await;
    }
}

#[tokio::test]
async fn h12_media_types_are_compared_without_parameters_and_case() {
    let cases = [
        (&["Content-Type: Text/Event-Stream;charset=UTF-8"][..], Media::EventStream),
        (&["content-type: application/json; charset=utf-8"], Media::Json),
        (&["Content-Type: application/json;odata=x"], Media::Json),
        (&["Content-Type: application/json-seq"], Media::Other("application/json-seq".to_owned())),
    ];
    for (headers, media) in cases {
        check(Case { status: "200 OK", headers, media, retry_after: None, challenges: &[] }).await;
    }
}

#[tokio::test]
async fn a_session_is_named_as_the_server_wrote_it_and_does_not_print() {
    let server = Server::start(|_| reply("200 OK", &["mcp-session-ID: a b\u{e9}"], b"")).await;
    let link = exchanges(connector(endpoint(&server.url("/"))).open(Way::First).await.unwrap());
    let answer = soon(link.carrier.exchange(post("{}"))).await.unwrap();
    assert_eq!(answer.session, Some(Secret::new("a b\u{e9}".to_owned())));
    assert!(!format!("{answer:?}").contains("a b"));
}

#[tokio::test]
async fn an_accepted_message_has_no_body() {
    for said in ["HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"] {
        let server = Server::start(|_| Reply::Say(said.as_bytes().to_vec())).await;
        let link = exchanges(connector(endpoint(&server.url("/"))).open(Way::First).await.unwrap());
        let answer = soon(link.carrier.exchange(post("{}"))).await.unwrap();
        assert_eq!((answer.media.clone(), body(answer).await.len()), (Media::Unnamed, 0));
    }
}
