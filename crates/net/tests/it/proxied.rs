//! Ways through a proxy.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use codewhale_mcp_net::client::{Egress, Engine, Parts};
use codewhale_mcp_net::{Author, Guard, NetError, Purpose};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::certified::Authority;
use crate::network::{Names, Roads, message, whole};
use crate::server::{Reply, Server, reply};
use crate::world::{guard, proxies};

fn through(engine: &Engine, url: &str, environment: &[(&str, &str)]) -> Egress {
    engine.egress(Guard { proxies: proxies(environment), ..guard(url) }, Purpose::Message)
}

/// A proxy that makes tunnels to one server, whatever it is asked for, and keeps how it was asked.
async fn tunnels_to(server: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, heads) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let kept = heads.clone();
    tokio::spawn(async move {
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(client.read_u8().await.unwrap());
            }
            kept.lock().unwrap().push(String::from_utf8(head).unwrap());
            client.write_all(b"HTTP/1.0 200 Connection established\r\nX: y\r\n\r\n").await.unwrap();
            let mut server = TcpStream::connect(server).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
        }
    });
    (address, heads)
}

#[tokio::test]
async fn h24_http_is_asked_of_the_proxy_with_its_own_password() {
    let proxy = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let variable = format!("http://me:p%40ss@{}", proxy.address);
    let names = Names::new(&[]);
    let engine = Engine::new(Parts { resolver: names.clone(), ..Parts::default() });
    let url = "http://mcp.example:8080/mcp?x=1";
    let egress = through(&engine, url, &[("HTTP_PROXY", &variable)]);
    for _ in 0..2 {
        whole(&egress, message(url)).await.unwrap();
    }
    let received = &proxy.received()[1];
    assert_eq!(received.line(), "POST http://mcp.example:8080/mcp?x=1 HTTP/1.1");
    assert_eq!(received.header("host"), Some("mcp.example:8080"));
    assert_eq!(received.header("proxy-authorization"), Some("Basic bWU6cEBzcw=="));
    assert_eq!(names.asked(), Vec::<String>::new(), "the proxy looks the name up");
}

#[tokio::test]
async fn a_proxy_that_closes_without_a_word_loses_no_request() {
    let proxy = Server::start(|_| match reply("200 OK", &[], b"{}") {
        Reply::Say(said) => Reply::Close(said),
        other => other,
    })
    .await;
    let url = "http://mcp.example/";
    let variable = format!("http://{}", proxy.address);
    let egress = through(&Engine::new(Parts::default()), url, &[("HTTP_PROXY", &variable)]);
    for _ in 0..50 {
        whole(&egress, message(url)).await.unwrap();
    }
    assert_eq!(proxy.accepted(), 50, "each request has a connection of its own");
    assert_eq!(proxy.received()[0].header("connection"), Some("close"));
}

#[tokio::test]
async fn h24_https_goes_through_a_tunnel_and_the_proxy_sees_nothing_of_it() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let authority = Authority::of("mcp.example", &["http/1.1"]);
    let serving = server.clone();
    let secure = authority.listen(move |stream| serving.clone().serve(stream)).await;
    let (proxy, heads) = tunnels_to(secure).await;
    let url = "https://mcp.example/mcp";
    let egress = through(&authority.engine(), url, &[("https_proxy", &format!("http://me:pw@{proxy}"))]);
    let mut call = message(url);
    call.headers.insert("authorization", "Bearer t1".parse().unwrap());
    whole(&egress, call).await.unwrap();
    assert_eq!(server.received()[0].line(), "POST /mcp HTTP/1.1");
    assert_eq!(server.received()[0].header("authorization"), Some("Bearer t1"));
    assert_eq!(server.received()[0].header("proxy-authorization"), None);
    let asked = "CONNECT mcp.example:443 HTTP/1.1\r\nHost: mcp.example:443\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n";
    assert_eq!(*heads.lock().unwrap(), [asked]);
}

#[tokio::test]
async fn a_proxy_can_be_encrypted_itself() {
    let proxy = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let authority = Authority::of("127.0.0.1", &["h2", "http/1.1"]);
    let serving = proxy.clone();
    let secure = authority.listen(move |stream| serving.clone().serve(stream)).await;
    let url = "http://mcp.example/";
    let egress = through(&authority.engine(), url, &[("HTTP_PROXY", &format!("https://{secure}"))]);
    whole(&egress, message(url)).await.unwrap();
    assert_eq!(proxy.received()[0].line(), "POST http://mcp.example/ HTTP/1.1");
}

#[tokio::test]
async fn a_proxy_that_does_not_let_us_through_is_named_without_its_password() {
    let cases = [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "it asks for a user and a password (status 407)",
        ),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "status 502"),
        ("SSH-2.0-x\u{1b}\r\n\r\n", "its answer is no HTTP: SSH-2.0-x\\u{1b}"),
        ("HTTP/1.1 200 OK\r\n\r\nmore", "more than an answer came"),
        ("", "it closes the connection"),
    ];
    for (said, reason) in cases {
        let proxy = Server::start(|_| Reply::Close(said.as_bytes().to_vec())).await;
        let url = "https://mcp.example/";
        let variable = format!("http://me:hunter2@{}", proxy.address);
        let egress = through(&Engine::new(Parts::default()), url, &[("HTTPS_PROXY", &variable)]);
        let error = whole(&egress, message(url)).await.unwrap_err();
        let at = proxy.address.to_string();
        assert_eq!(error, NetError::Proxy { proxy: at, reason: reason.to_owned() });
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = "http://mcp.example/";
    let egress = through(&Engine::new(Parts::default()), url, &[("HTTP_PROXY", &gone.to_string())]);
    let error = whole(&egress, message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Proxy { proxy, .. } if *proxy == gone.to_string()), "{error}");
}

#[tokio::test]
async fn h24_what_needs_no_proxy_goes_directly_and_is_guarded() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let proxy = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let variable = format!("http://{}", proxy.address);
    let environment = [("HTTP_PROXY", variable.as_str()), ("NO_PROXY", "*.corp,10.0.0.0/8")];
    for (addresses, reached) in [(&["9.9.9.9"], true), (&["10.0.0.1"], false)] {
        let (names, roads) = (Names::new(&[addresses]), Roads::to(server.address));
        let url = "http://mcp.corp/";
        let egress = through(&crate::network::parts(&names, &roads), url, &environment);
        assert_eq!(whole(&egress, message(url)).await.is_ok(), reached);
        assert_eq!(roads.dialled().len(), usize::from(reached));
    }
    assert_eq!((server.accepted(), proxy.accepted()), (1, 0));
}

#[tokio::test]
async fn a_proxy_is_for_what_the_operator_configured_alone() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let proxy = Server::start(|request| match request.line() {
        "POST http://mcp.example/ HTTP/1.1" => {
            reply("307 Temporary Redirect", &["Location: https://mcp.example/"], b"")
        }
        _ => reply("200 OK", &[], b"{}"),
    })
    .await;
    let variable = format!("http://{}", proxy.address);
    let environment = [("HTTP_PROXY", variable.as_str()), ("HTTPS_PROXY", variable.as_str())];
    // A server that a model added.
    let url = "http://mcp.example/";
    let mut guard = Guard { proxies: proxies(&environment), ..guard(url) };
    guard.definition.author = Author::Model;
    let roads = Roads::to(server.address);
    let engine = crate::network::parts(&Names::new(&[&["9.9.9.9"]]), &roads);
    let _ = whole(&engine.egress(guard, Purpose::Message), message(url)).await;
    assert_eq!(proxy.accepted(), 0);
    // What a redirect leads to: directly, where no encryption is found behind that road.
    let road = Roads::to(proxy.address);
    let engine = crate::network::parts(&Names::new(&[&["9.9.9.9"]]), &road);
    let error = whole(&through(&engine, url, &environment), message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Tls { host, .. } if host == "mcp.example:443"), "{error}");
    assert_eq!(road.dialled()[1], "9.9.9.9:443");
    assert!(proxy.received().iter().all(|request| !request.line().starts_with("CONNECT")));
}
