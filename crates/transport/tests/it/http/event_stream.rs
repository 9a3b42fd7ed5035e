//! HTTP+SSE: the stream names where messages go.

use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::http::Ways;
use codewhale_mcp_transport::{Connector, Exchanges, OpenError, Way};

use super::site::{body, connector, endpoint, exchanges, header, inside, post};
use crate::server::{Received, Reply, Server, reply, soon};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;charset=utf-8\r\n\r\n";

/// A server that says these events on its stream and accepts every message.
async fn says(events: String) -> Server {
    Server::start(move |request: &Received| match request.line().starts_with("GET") {
        true => Reply::Hold(format!("{HEAD}{events}").into_bytes()),
        false => reply("202 Accepted", &[], b""),
    })
    .await
}

async fn open(url: &str) -> Result<Exchanges, OpenError> {
    let mut endpoint = endpoint(url);
    endpoint.headers = vec![("Authorization".to_owned(), Secret::new("Bearer t1".to_owned()))];
    soon(connector(endpoint).open(Way::EventStream)).await.map(exchanges)
}

#[tokio::test]
async fn l01_where_messages_go_is_resolved_against_the_streams_url() {
    let cases = [
        ("/mcp/message?s=1", "/mcp/message?s=1"),
        ("message?s=1", "/weather/message?s=1"),
        ("?s=1", "/weather/sse?s=1"),
        ("./m/../message", "/weather/message"),
        ("//{host}/x", "/x"),
        ("http://{host}/full?a=b&c=d", "/full?a=b&c=d"),
        ("HTTP://{host}/case#fragment", "/case"),
        (" /spaces ", "/spaces"),
        ("/m%C3%A9?x=%20", "/m%C3%A9?x=%20"),
    ];
    for (data, path) in cases {
        let server = Server::start(move |request: &Received| match request.line().starts_with("GET") {
            true => {
                let data = data.replace("{host}", request.header("host").unwrap());
                let events = format!(
                    ": hello\r\n\r\nevent: other\r\ndata: x\r\n\r\nevent: endpoint\r\ndata: {data}\r\n\r\n"
                );
                Reply::Hold(format!("{HEAD}{events}").into_bytes())
            }
            false => reply("202 Accepted", &[], b""),
        })
        .await;
        let link = open(&server.url("/weather/sse")).await.unwrap();
        assert!(!link.has_other_way);
        let mut exchange = post("{\"id\":1}");
        exchange.headers.push(header("MCP-Protocol-Version", "2024-11-05"));
        let answer = soon(link.carrier.exchange(exchange)).await.unwrap();
        assert_eq!((answer.status, body(answer).await.len()), (202, 0));
        let [get, post] = &server.received()[..] else { panic!("two requests") };
        assert_eq!(get.line(), "GET /weather/sse HTTP/1.1");
        assert_eq!((get.header("accept"), get.header("content-type")), (Some("text/event-stream"), None));
        assert_eq!(get.header("accept-encoding"), Some("identity"));
        assert_eq!(post.line(), format!("POST {path} HTTP/1.1"));
        assert_eq!(post.body, b"{\"id\":1}");
        assert_eq!(post.header("authorization"), Some("Bearer t1"));
        assert_eq!(post.header("mcp-protocol-version"), Some("2024-11-05"));
    }
}

#[tokio::test]
async fn l02_another_origin_gets_nothing() {
    let evil = Server::start(|_| reply("202 Accepted", &[], b"")).await;
    let port = evil.address.port();
    let cases = [
        format!("https://evil.test:{port}/steal"),
        format!("http://evil.test:{port}/steal"),
        format!("http://127.0.0.1:{port}/other-port"),
        format!("http://localhost:{port}/"),
        format!("//127.0.0.1:{port}/"),
        "https://{host}/upgrade".to_owned(),
        "http://user:hunter2@{host}/".to_owned(),
        "http://user@{host}/".to_owned(),
        "ftp://{host}/".to_owned(),
        "javascript:alert(1)".to_owned(),
        "http://[::1".to_owned(),
    ];
    for data in cases {
        let named = data.clone();
        let server = Server::start(move |request: &Received| {
            let data = named.replace("{host}", request.header("host").unwrap());
            Reply::Hold(format!("{HEAD}event: endpoint\ndata: {data}\n\n").into_bytes())
        })
        .await;
        let error = open(&server.url("/sse")).await.unwrap_err();
        assert!(matches!(&error, OpenError::Endpoint { .. }), "{data}: {error}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
        assert_eq!(server.received().len(), 1, "{data}");
        server.open(0).await;
    }
    assert_eq!(evil.accepted(), 0);
}

#[tokio::test]
async fn everything_after_the_endpoint_is_on_the_stream() {
    let events = "event: endpoint\ndata: /m\n\nevent: message\ndata: {\"id\":1}\n\nevent: endpoint\n\
                  data: http://evil.test/\n\ndata: {\ndata: }\n\n";
    let server = says(events.to_owned()).await;
    let link = open(&server.url("/sse")).await.unwrap();
    let mut stream = link.stream.unwrap();
    assert_eq!(soon(stream.next()).await.unwrap().unwrap(), "{\"id\":1}");
    assert_eq!(soon(stream.next()).await.unwrap().unwrap(), "{\n}");
    body(soon(link.carrier.exchange(post("{}"))).await.unwrap()).await;
    assert_eq!(server.received()[1].line(), "POST /m HTTP/1.1");
    soon(link.peer.stop()).await;
    assert!(soon(stream.next()).await.is_err());
    server.open(0).await;
}

#[tokio::test]
async fn what_opens_no_stream_says_what_came_instead() {
    let page = "<html>\u{1b}[2J";
    let cases = [
        ("405 Method Not Allowed", "text/plain", "no GET", 405, "status 405 with text/plain: no GET"),
        ("401 Unauthorized", "application/json", "{}", 401, "status 401 with JSON: {}"),
        ("200 OK", "text/html", page, 200, "status 200 with text/html: <html>\\u{1b}[2J"),
        ("200 OK", "application/json", "", 200, "status 200 with JSON"),
        ("404 Not Found", "text/event-stream", "", 404, "status 404 with an event stream"),
    ];
    for (status, media, said, code, expected) in cases {
        let media = format!("Content-Type: {media}");
        let server = Server::start(move |_| reply(status, &[&media], said.as_bytes())).await;
        let error = open(&server.url("/sse")).await.unwrap_err();
        let OpenError::NoEventStream { status, reason } = error else { panic!("{error}") };
        assert_eq!((status, reason.as_str()), (code, expected));
    }
    let ended =
        Server::start(|_| Reply::Close(format!("{HEAD}event: other\ndata: /m\n\n").into_bytes())).await;
    let error = open(&ended.url("/sse")).await.unwrap_err();
    let reason = "it ended before it named an address for messages";
    assert_eq!(error.to_string(), format!("the event stream cannot be used: {reason}"));
    let gone = open("http://127.0.0.1:1/").await.unwrap_err();
    assert!(matches!(gone, OpenError::Exchange(_)), "{gone}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_names_nothing_is_waited_for_ten_seconds() {
    let server = says(": still here\n\n".to_owned()).await;
    let mut endpoint = endpoint(&server.url("/sse"));
    endpoint.ways = Ways::EventStream;
    let start = tokio::time::Instant::now();
    let error = inside(&server, endpoint).open(Way::First).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the event stream cannot be used: no address for messages came within 10 s"
    );
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn the_ways_of_an_endpoint_decide_what_is_opened() {
    let server = says("event: endpoint\ndata: /m\n\n".to_owned()).await;
    let cases = [
        (Ways::Any, Way::First, false, true),
        (Ways::Any, Way::EventStream, true, false),
        (Ways::Streamable, Way::First, false, false),
        (Ways::Streamable, Way::EventStream, false, false),
        (Ways::EventStream, Way::First, true, false),
        (Ways::EventStream, Way::EventStream, true, false),
    ];
    for (ways, way, has_stream, has_other_way) in cases {
        let mut endpoint = endpoint(&server.url("/sse"));
        endpoint.ways = ways;
        let link = exchanges(soon(connector(endpoint).open(way)).await.unwrap());
        assert_eq!(
            (link.stream.is_some(), link.has_other_way),
            (has_stream, has_other_way),
            "{ways:?} {way:?}"
        );
    }
}
