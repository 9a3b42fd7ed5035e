//! Exchanges that come to nothing, and endpoints that cannot be used.

use std::net::IpAddr;

use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::http::{EndpointError, HttpConnector};
use codewhale_mcp_transport::{Blocked, Connector, ExchangeError, Way};
use tokio::net::TcpListener;

use super::site::{connector, endpoint, exchanges, header, post};
use crate::server::{Reply, Server, reply, soon};

async fn failure(url: &str) -> ExchangeError {
    let link = exchanges(connector(endpoint(url)).open(Way::First).await.unwrap());
    soon(link.carrier.exchange(post("{}"))).await.unwrap_err()
}

#[tokio::test]
async fn a_rule_that_forbids_it_is_named_with_host_and_address() {
    let mut endpoint = endpoint("http://10.0.0.1/");
    endpoint.guard.definition.author = codewhale_mcp_net::Author::Model;
    let link = exchanges(connector(endpoint).open(Way::First).await.unwrap());
    let error = soon(link.carrier.exchange(post("{}"))).await.unwrap_err();
    let address: IpAddr = "10.0.0.1".parse().unwrap();
    let rule = "no request to private addresses (RFC 1918)";
    let blocked = Blocked { rule, host: address.to_string(), address: Some(address) };
    assert_eq!(error.to_string(), "no request to private addresses (RFC 1918): 10.0.0.1");
    assert_eq!(error, ExchangeError::Blocked(blocked));
    let named = Blocked { rule, host: "mcp.example".to_owned(), address: Some(address) };
    assert_eq!(named.to_string(), "no request to private addresses (RFC 1918): mcp.example is 10.0.0.1");
}

#[tokio::test]
async fn what_is_not_reached_names_the_host() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = failure(&format!("http://{free}/?token=hunter2")).await;
    assert!(
        matches!(&error, ExchangeError::Unreachable { host, .. } if *host == free.to_string()),
        "{error}"
    );
    let plain = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let error = failure(&plain.url("/").replace("http:", "https:")).await;
    let text = format!("cannot reach {}: no secure connection: ", plain.address);
    assert!(error.to_string().starts_with(&text), "{error}");
}

#[tokio::test]
async fn what_breaks_off_may_have_arrived() {
    let server = Server::start(|_| Reply::Close(Vec::new())).await;
    let error = failure(&server.url("/")).await;
    assert!(matches!(error, ExchangeError::Broken(_)), "{error}");
}

#[tokio::test]
async fn h21_a_redirect_that_is_not_followed_says_where_and_why() {
    let cases = [
        (
            "301 Moved Permanently",
            "/mcp/",
            "which differs in the slash at its end: the URL has to be written that way",
        ),
        ("302 Found", "/login", "which drops the message: only 307 and 308 are followed"),
        ("307 Temporary Redirect", "http://127.0.0.1:1/", "which is another origin"),
    ];
    for (status, to, reason) in cases {
        let location = format!("Location: {to}");
        let server = Server::start(move |_| reply(status, &[&location], b"")).await;
        let error = failure(&server.url("/mcp")).await;
        let expected = if to.starts_with('/') { server.url(to) } else { to.to_owned() };
        let ExchangeError::Redirected { status: code, target, why } = error else { panic!("{error}") };
        assert_eq!((code.to_string().as_str(), target, why), (&status[..3], expected, reason));
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn a_head_without_end_is_too_long() {
    let server =
        Server::start(|_| Reply::Hold([b"HTTP/1.1 200 OK\r\nX: ".to_vec(), vec![b'x'; 1 << 20]].concat()))
            .await;
    assert_eq!(failure(&server.url("/")).await, ExchangeError::TooLong { what: "head", limit: 256 * 1024 });
    server.open(0).await;
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_named_before_anything_leaves() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let link = exchanges(connector(endpoint(&server.url("/"))).open(Way::First).await.unwrap());
    for value in ["hunter2\r\nX-Other: 1", "hunter2\n", "hunter2\0"] {
        let mut exchange = post("{}");
        exchange.headers.push(header("Mcp-Name", value));
        let error = soon(link.carrier.exchange(exchange)).await.unwrap_err().to_string();
        assert!(error.contains("Mcp-Name") && !error.contains("hunter2"), "{error}");
    }
    assert_eq!(server.accepted(), 0);
}

#[test]
fn an_endpoint_with_a_header_that_cannot_be_sent_is_refused() {
    let named = |name: &str| name.to_owned();
    let cases = [
        ("X Key", "v", EndpointError::HeaderName { name: named("X Key") }),
        ("", "v", EndpointError::HeaderName { name: named("") }),
        ("X-Key", "hunter2\r\nX: 1", EndpointError::HeaderValue { name: named("X-Key") }),
        ("Content-Length", "1", EndpointError::HeaderOfConnection { name: named("Content-Length") }),
        ("transfer-encoding", "x", EndpointError::HeaderOfConnection { name: named("transfer-encoding") }),
        (
            "Proxy-Authorization",
            "x",
            EndpointError::HeaderOfConnection { name: named("Proxy-Authorization") },
        ),
    ];
    for (name, value, expected) in cases {
        let mut endpoint = endpoint("https://mcp.example/");
        endpoint.headers = vec![(name.to_owned(), Secret::new(value.to_owned()))];
        let error = HttpConnector::new(Engine::new(Parts::default()), endpoint).unwrap_err();
        assert!(!error.to_string().contains("hunter2"));
        assert_eq!(error, expected);
    }
}

#[test]
fn nothing_prints_a_secret() {
    let mut endpoint = endpoint("https://me:hunter2@mcp.example/?token=hunter2");
    endpoint.headers = vec![("X-Key".to_owned(), Secret::new("hunter2".to_owned()))];
    assert!(!format!("{endpoint:?} {:?}", connector(endpoint.clone())).contains("hunter2"));
}
