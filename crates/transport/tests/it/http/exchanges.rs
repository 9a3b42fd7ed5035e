//! One exchange for each message.

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_net::{Authorizer, Because, NetError, Sent, Verdict};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Connector, End, Exchange, ExchangeError, Media, OpenError, Verb, Way};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use url::Url;

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

#[tokio::test]
async fn each_message_has_its_own_headers_whatever_the_one_before_had() {
    let server = Server::start(|_| reply("200 OK", &["Content-Type: application/json"], b"{}")).await;
    let mut endpoint = endpoint(&server.url("/mcp"));
    endpoint.headers = vec![("Mcp-Session-Id".to_owned(), Secret::new("of the endpoint".to_owned()))];
    let link = exchanges(connector(endpoint).open(Way::First).await.unwrap());
    let (method, session) = ("Mcp-Method", "Mcp-Session-Id");
    let messages: [&[(&'static str, &str)]; 6] = [
        &[(method, "ping"), (session, "one")],
        &[(method, "ping"), (session, "one")],
        &[(method, "ping"), (session, "two")],
        &[(method, "ping")],
        &[],
        &[(session, "two")],
    ];
    for message in messages {
        let mut exchange = post("{}");
        exchange.headers.extend(message.iter().map(|(name, value)| header(name, value)));
        body(soon(link.carrier.exchange(exchange)).await.unwrap()).await;
    }
    let received = server.received();
    let sent: Vec<_> =
        received.iter().map(|post| [post.header("mcp-method"), post.header("mcp-session-id")]).collect();
    let own = Some("of the endpoint");
    let ping = Some("ping");
    assert_eq!(
        sent,
        [
            [ping, Some("one")],
            [ping, Some("one")],
            [ping, Some("two")],
            [ping, own],
            [None, own],
            [None, Some("two")]
        ]
    );
}

#[tokio::test]
async fn a_definitions_own_authorization_keeps_the_authorizer_out() {
    let server = Server::start(|_| reply("401 Unauthorized", &[], b"")).await;
    let with_password = server.url("/").replace("http://", "http://me:p%40ss@");
    let own = vec![("authorization".to_owned(), Secret::new("Bearer own".to_owned()))];
    let cases = [
        (server.url("/"), Vec::new(), "Bearer stored", 2),
        (server.url("/"), own.clone(), "Bearer own", 1),
        (with_password.clone(), Vec::new(), "Basic bWU6cEBzcw==", 1),
        (with_password, own, "Bearer own", 1),
    ];
    for (url, headers, authorization, times) in cases {
        let before = server.received().len();
        let mut endpoint = endpoint(&url);
        endpoint.headers = headers;
        endpoint.authorizer = Some(Arc::new(Stored));
        let link = exchanges(connector(endpoint).open(Way::First).await.unwrap());
        let answer = soon(link.carrier.exchange(post("{}"))).await.unwrap();
        assert_eq!(answer.status, 401);
        let received = server.received().split_off(before);
        assert_eq!(received.len(), times);
        assert!(received.iter().all(|request| request.header("authorization") == Some(authorization)));
    }
}

#[tokio::test]
async fn a_login_that_is_needed_comes_with_its_challenges() {
    let server = Server::start(|_| reply("401 Unauthorized", &["WWW-Authenticate: Bearer"], b"")).await;
    let mut endpoint = endpoint(&server.url("/"));
    endpoint.authorizer = Some(Arc::new(LoggedOut));
    let connector = connector(endpoint);
    let link = exchanges(connector.open(Way::First).await.unwrap());
    let needed = ExchangeError::LoginNeeded { challenges: vec!["Bearer".to_owned()] };
    assert_eq!(soon(link.carrier.exchange(post("{}"))).await.unwrap_err(), needed);
    let stream = soon(connector.open(Way::EventStream)).await.unwrap_err();
    assert!(matches!(stream, OpenError::Exchange(error) if error == needed));
}

/// Has a token, and believes in it.
#[derive(Debug)]
struct Stored;

#[async_trait]
impl Authorizer for Stored {
    async fn prepare(&self, _: &Method, _: &Url, headers: &mut HeaderMap) -> Result<Sent, NetError> {
        headers.insert("authorization", HeaderValue::from_static("Bearer stored"));
        Ok(Sent::default())
    }

    async fn received(&self, _: Sent, _: &Url, _: StatusCode, _: &HeaderMap) -> Verdict {
        Verdict::Retry(Because::Token)
    }
}

/// Has no token.
#[derive(Debug)]
struct LoggedOut;

#[async_trait]
impl Authorizer for LoggedOut {
    async fn prepare(&self, _: &Method, _: &Url, _: &mut HeaderMap) -> Result<Sent, NetError> {
        Ok(Sent::default())
    }

    async fn received(&self, _: Sent, _: &Url, _: StatusCode, headers: &HeaderMap) -> Verdict {
        let challenges = headers.get_all("www-authenticate").iter();
        let challenges = challenges.map(|value| value.to_str().unwrap().to_owned()).collect();
        Verdict::NeedsLogin { challenges }
    }
}
