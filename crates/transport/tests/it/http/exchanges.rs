//! One exchange for each message.

use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Connector, End, Exchange, ExchangeError, Media, Verb, Way};

use super::site::{body, connector, endpoint, exchanges, header, post};
use crate::server::{Server, reply, soon};

#[tokio::test]
async fn h13_each_verb_has_exactly_its_headers() {
    let server = Server::start(|_| reply("200 OK", &["Content-Type: application/json"], b"{}")).await;
    let mut endpoint = endpoint(&server.url("/mcp?x=1"));
    endpoint.headers = vec![
        ("X-Key".to_owned(), Secret::new("k1".to_owned())),
        ("accept".to_owned(), Secret::new("*/*".to_owned())),
        ("content-type".to_owned(), Secret::new("text/plain".to_owned())),
    ];
    let connector = connector(endpoint);
    let link = exchanges(connector.open(Way::First).await.unwrap());
    assert!(link.has_other_way && link.stream.is_none());
    assert_eq!(server.accepted(), 0, "opening causes no traffic");
    let mut exchange = post("{\"jsonrpc\":\"2.0\"}");
    exchange.headers.push(header("Mcp-Method", "tools/list"));
    let answer = soon(link.carrier.exchange(exchange)).await.unwrap();
    assert_eq!((answer.status, &answer.media), (200, &Media::Json));
    assert_eq!(body(answer).await, "{}");
    for verb in [Verb::Get, Verb::Delete] {
        let answer = soon(link.carrier.exchange(Exchange { verb, headers: Vec::new() })).await.unwrap();
        body(answer).await;
    }
    let received = server.received();
    let agent = Some(concat!("codewhale/", env!("CARGO_PKG_VERSION")));
    let host = server.address.to_string();
    let facts = |index: usize| {
        let request = &received[index];
        let header = |name| request.header(name);
        (request.line(), header("content-type"), header("accept"), header("mcp-method"), header("x-key"))
    };
    let posted = "POST /mcp?x=1 HTTP/1.1";
    let both = Some("application/json, text/event-stream");
    assert_eq!(facts(0), (posted, Some("application/json"), both, Some("tools/list"), Some("k1")));
    let stream = Some("text/event-stream");
    assert_eq!(facts(1), ("GET /mcp?x=1 HTTP/1.1", None, stream, None, Some("k1")));
    assert_eq!(facts(2).0, "DELETE /mcp?x=1 HTTP/1.1");
    assert_eq!(facts(2).1, None);
    assert!(received.iter().all(|request| request.header("host") == Some(&host)));
    assert!(received.iter().all(|request| request.header("user-agent") == agent));
    assert_eq!(received[0].body, b"{\"jsonrpc\":\"2.0\"}");
    assert_eq!(server.accepted(), 1, "the connection is used again");
    assert_eq!(soon(link.peer.stop()).await, End::Closed);
    server.open(0).await;
    let late = soon(link.carrier.exchange(post("{}"))).await;
    assert!(matches!(late, Err(ExchangeError::Broken(_))), "{late:?}");
}
