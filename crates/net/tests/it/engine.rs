//! Requests and answers, and the connections under them.

use std::future::poll_fn;
use std::time::Duration;

use codewhale_mcp_net::client::{Engine, Parts, Response};
use codewhale_mcp_net::{Call, NetError, Purpose};
use tokio::net::TcpListener;

use crate::network::{Names, Roads, egress, made, message, whole};
use crate::server::{Reply, Server, reply, soon};
use crate::world::guard;

const CHUNKED: &[u8] =
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nA: b\r\n\r\n";
const BEGINNING: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbeginning";

async fn chunk(response: &mut Response) -> Option<Result<bytes::Bytes, NetError>> {
    soon(poll_fn(|context| response.body.poll_chunk(context))).await
}

#[tokio::test]
async fn a_request_leaves_as_it_is_and_its_answer_comes_back() {
    let server = Server::start(|_| reply("404 Not Found", &["X-Two: 2"], b"nothing here")).await;
    let egress = egress(&server.url("/"));
    let mut call = message(&server.url("/a%20b?c=%64#f"));
    call.headers.insert("x-one", "1".parse().unwrap());
    let answer = whole(&egress, call).await.unwrap();
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (404, &b"nothing here"[..]));
    assert_eq!(answer.headers["x-two"], "2");
    let received = &server.received()[0];
    assert_eq!(received.line(), "POST /a%20b?c=%64 HTTP/1.1");
    assert_eq!(received.body, b"{\"m\":1}");
    let header = |name| received.header(name);
    assert_eq!(header("host"), Some(server.address.to_string()).as_deref());
    assert_eq!(header("x-one"), Some("1"));
    assert_eq!(header("user-agent"), Some(concat!("codewhale/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(header("accept-encoding"), Some("gzip, deflate"));
    assert_eq!(header("cookie"), None);
}

#[tokio::test]
async fn cookies_are_not_kept() {
    let server = Server::start(|_| reply("200 OK", &["Set-Cookie: a=b; Path=/"], b"")).await;
    let egress = egress(&server.url("/"));
    for _ in 0..2 {
        whole(&egress, Call::get(server.url("/").parse().unwrap())).await.unwrap();
    }
    assert!(server.received().iter().all(|request| request.header("cookie").is_none()));
}

#[tokio::test]
async fn a_connection_is_used_again_by_its_own_way_out_alone() {
    let server = Server::start(|request| match request.line() {
        "GET /chunked HTTP/1.1" => Reply::Say(CHUNKED.to_vec()),
        _ => reply("200 OK", &[], b"hello!"),
    })
    .await;
    let (one, other) = (egress(&server.url("/")), egress(&server.url("/")));
    for path in ["/", "/chunked"].repeat(10) {
        let answer = whole(&one, Call::get(server.url(path).parse().unwrap())).await.unwrap();
        assert_eq!(answer.body, "hello!");
    }
    assert_eq!(server.accepted(), 1);
    whole(&other, message(&server.url("/"))).await.unwrap();
    assert_eq!(server.accepted(), 2);
}

#[tokio::test]
async fn what_is_dropped_is_ended() {
    let server = Server::start(|request| match request.line() {
        "GET /silent HTTP/1.1" => Reply::Hold(Vec::new()),
        _ => Reply::Hold(BEGINNING.to_vec()),
    })
    .await;
    let egress = egress(&server.url("/"));
    let mut response =
        soon(egress.send(Call::get(server.url("/body").parse().unwrap()), None)).await.unwrap();
    assert_eq!(chunk(&mut response).await.unwrap().unwrap(), "beginning");
    server.open(1).await;
    drop(response);
    server.open(0).await;
    let silent = egress.send(Call::get(server.url("/silent").parse().unwrap()), None);
    tokio::select! {
        answer = silent => panic!("{answer:?}"),
        () = server.open(1) => {}
    }
    server.open(0).await;
}

#[tokio::test]
async fn h26_closing_leaves_no_connection() {
    let server = Server::start(|request| match request.line() {
        "GET /body HTTP/1.1" => Reply::Hold(BEGINNING.to_vec()),
        _ => reply("200 OK", &[], b"{}"),
    })
    .await;
    let engine = Engine::new(Parts::default());
    for _ in 0..200 {
        let egress = engine.egress(guard(&server.url("/")), Purpose::Message);
        whole(&egress, message(&server.url("/"))).await.unwrap();
        let get = Call::get(server.url("/body").parse().unwrap());
        let mut response = soon(egress.send(get, None)).await.unwrap();
        assert_eq!(chunk(&mut response).await.unwrap().unwrap(), "beginning");
        soon(egress.close()).await;
        let end = chunk(&mut response).await;
        assert!(matches!(end, Some(Err(NetError::Broken { .. }))), "{end:?}");
        assert!(chunk(&mut response).await.is_none());
    }
    server.open(0).await;
    assert_eq!(server.received().len(), 400);
}

#[tokio::test]
async fn closing_ends_what_waits_and_what_comes_later() {
    let server = Server::start(|_| Reply::Hold(Vec::new())).await;
    let egress = egress(&server.url("/"));
    let waiting = tokio::spawn({
        let (egress, call) = (egress.clone(), message(&server.url("/")));
        async move { egress.send(call, None).await.map(|response| response.status) }
    });
    server.open(1).await;
    soon(egress.close()).await;
    soon(egress.closed()).await;
    server.open(0).await;
    assert!(matches!(soon(waiting).await.unwrap(), Err(NetError::Broken { .. })));
    let late = whole(&egress, message(&server.url("/"))).await;
    assert!(matches!(late, Err(NetError::Broken { .. })), "{late:?}");
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn dropping_the_last_handle_closes_idle_connections() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let egress = egress(&server.url("/"));
    whole(&egress, message(&server.url("/"))).await.unwrap();
    server.open(1).await;
    drop(egress);
    server.open(0).await;
}

#[tokio::test]
async fn what_breaks_off_is_no_answer() {
    let cases: [(&[u8], &str); 4] = [
        (b"", "no head"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "half a head"),
        (BEGINNING, "half a body"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "no last chunk"),
    ];
    for (said, name) in cases {
        let server = Server::start(|_| Reply::Close(said.to_vec())).await;
        let answer = whole(&egress(&server.url("/")), message(&server.url("/"))).await;
        assert!(matches!(answer, Err(NetError::Broken { .. })), "{name}: {answer:?}");
        assert_eq!(server.received().len(), 1, "{name}: what may have arrived is not sent again");
    }
}

#[tokio::test]
async fn heads_and_documents_have_a_limit() {
    let long = format!("X-Long: {}", "x".repeat(600_000));
    let server = Server::start(move |request| match request.line() {
        "GET /head HTTP/1.1" => reply("200 OK", &[&long], b""),
        _ => reply("200 OK", &[], &[b'x'; (1 << 20) + 1]),
    })
    .await;
    let egress = egress(&server.url("/"));
    for (path, what, limit) in [("/head", "head", 256 * 1024), ("/body", "body", 1 << 20)] {
        let answer = whole(&egress, Call::get(server.url(path).parse().unwrap())).await;
        assert_eq!(answer.unwrap_err(), NetError::TooLong { what, limit });
    }
}

#[tokio::test]
async fn what_cannot_be_reached_says_which_step_failed() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = format!("http://{free}/");
    let refused = whole(&egress(&url), message(&url)).await.unwrap_err();
    assert!(matches!(&refused, NetError::Connect { host, .. } if *host == free.to_string()), "{refused:?}");
    let unknown = made("http://mcp.example:81/", &Names::new(&[]), &Roads::to(free));
    assert_eq!(
        whole(&unknown, message("http://mcp.example:81/x?token=abc")).await.unwrap_err().to_string(),
        "cannot find mcp.example: no such name"
    );
    let other = whole(&unknown, message("ftp://mcp.example/")).await.unwrap_err();
    assert_eq!(other.to_string(), "only https and http are spoken: ftp:");
}

#[tokio::test]
async fn localhost_is_this_machine_and_needs_no_look_up() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let url = format!("http://localhost:{}/", server.address.port());
    let names = Names::new(&[&["9.9.9.9"]]);
    let egress = made(&url, &names, &Roads::to(server.address));
    whole(&egress, message(&url)).await.unwrap();
    assert_eq!(names.asked(), Vec::<String>::new());
    assert_eq!(server.received()[0].header("host").unwrap(), &url[7..url.len() - 1]);
}

#[tokio::test]
async fn a_user_and_a_password_in_a_url_are_not_sent() {
    let server = Server::start(|request| match request.line() {
        "POST / HTTP/1.1" => reply("307 Temporary Redirect", &["Location: there"], b""),
        _ => reply("200 OK", &[], b"{}"),
    })
    .await;
    let url = format!("http://me:hunter2@{}/", server.address);
    whole(&egress(&url), message(&url)).await.unwrap();
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert!(
        received.iter().all(|request| !request.head.contains("hunter2") && !request.head.contains("me:"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_connection_has_its_own_time() {
    let url = "http://mcp.example/";
    let (resolver, dialer) = (Names::new(&[&["9.9.9.9"]]), crate::slow::Slow::new(&["9.9.9.9"]));
    let engine = Engine::new(Parts { resolver, dialer, ..Parts::default() });
    let start = tokio::time::Instant::now();
    let late = engine.egress(guard(url), Purpose::Message).send(message(url), None).await.unwrap_err();
    assert_eq!(late.to_string(), "no connection to mcp.example:80 within 30 s");
    assert_eq!(start.elapsed(), Duration::from_secs(30));
}
