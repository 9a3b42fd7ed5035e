//! Which redirects are followed, and what goes along.

use codewhale_mcp_net::{Call, NetError, Purpose, Redirects};

use crate::authorized::Token;
use crate::certified::Authority;
use crate::network::{egress, message, whole};
use crate::server::{Reply, Server, reply, soon};
use crate::world::guard;

/// Sends `/` to `to` and answers everything else.
async fn sends(status: &'static str, to: &'static str) -> Server {
    let location = format!("Location: {to}");
    Server::start(move |request| match request.line().split(' ').nth(1) {
        Some("/mcp") => reply(status, &[&location], b"moved"),
        _ => reply("200 OK", &[], b"here"),
    })
    .await
}

#[tokio::test]
async fn h21_within_the_origin_307_and_308_carry_the_whole_request() {
    for status in ["307 Temporary Redirect", "308 Permanent Redirect"] {
        let server = sends(status, "/mcp/?a=b#c").await;
        let egress = egress(&server.url("/mcp"));
        let mut call = message(&server.url("/mcp"));
        for (name, value) in [("mcp-session-id", "s1"), ("x-key", "k1"), ("authorization", "Bearer t1")] {
            call.headers.insert(name, value.parse().unwrap());
        }
        assert_eq!(whole(&egress, call).await.unwrap().body, "here");
        let [first, second] = &server.received()[..] else { panic!("two requests") };
        assert_eq!(second.line(), "POST /mcp/?a=b HTTP/1.1");
        assert_eq!(first.head.replace("/mcp ", "/mcp/?a=b "), second.head);
        assert_eq!(first.body, second.body);
        assert_eq!(server.accepted(), 1);
    }
}

#[tokio::test]
async fn h21_a_message_is_not_dropped_by_301_302_and_303() {
    for (status, code) in [("301 Moved Permanently", 301), ("302 Found", 302), ("303 See Other", 303)] {
        let slash = "which differs in the slash at its end: the URL has to be written that way";
        let other = "which drops the message: only 307 and 308 are followed";
        for (to, why) in [("/mcp/", slash), ("/login?token=hunter2", other)] {
            let server = sends(status, to).await;
            let error = whole(&egress(&server.url("/mcp")), message(&server.url("/mcp"))).await.unwrap_err();
            let target = server.url(&to.replace("hunter2", "REDACTED"));
            assert_eq!(error, NetError::Redirected { status: code, target, why });
            assert_eq!(server.received().len(), 1);
        }
    }
}

#[tokio::test]
async fn h21_hops_are_few() {
    for (hops, reached) in [(5, true), (6, false), (100, false)] {
        let server = Server::start(move |request| {
            let path = request.line().split(' ').nth(1).unwrap();
            match path[1..].parse::<u32>().unwrap() {
                last if last == hops => reply("200 OK", &[], b"here"),
                other => reply("307 Temporary Redirect", &[&format!("Location: /{}", other + 1)], b""),
            }
        })
        .await;
        let answer = whole(&egress(&server.url("/")), message(&server.url("/0"))).await;
        assert_eq!(answer.is_ok(), reached, "{hops}");
        assert_eq!(server.received().len(), 6);
    }
}

#[tokio::test]
async fn documents_follow_within_the_origin_and_what_brings_something_does_not() {
    let cases = [
        (Redirects::Within, "301 Moved Permanently", true),
        (Redirects::Within, "302 Found", true),
        (Redirects::Within, "307 Temporary Redirect", true),
        (Redirects::Within, "308 Permanent Redirect", true),
        (Redirects::Within, "303 See Other", false),
        (Redirects::Refused, "301 Moved Permanently", false),
        (Redirects::Refused, "307 Temporary Redirect", false),
        (Redirects::Refused, "308 Permanent Redirect", false),
    ];
    for (redirects, status, followed) in cases {
        let server = sends(status, "/there").await;
        let call = Call { redirects, ..Call::get(server.url("/mcp").parse().unwrap()) };
        let answer = whole(&egress(&server.url("/")), call).await;
        assert_eq!(answer.is_ok(), followed, "{redirects:?} {status}");
        assert_eq!(server.received().len(), 1 + usize::from(followed));
    }
}

#[tokio::test]
async fn what_leads_nowhere_is_an_answer() {
    let server = Server::start(|_| reply("307 Temporary Redirect", &[], b"")).await;
    assert_eq!(whole(&egress(&server.url("/")), message(&server.url("/"))).await.unwrap().status, 307);
    let server =
        Server::start(|_| Reply::Say(b"HTTP/1.1 304 Not Modified\r\nLocation: /x\r\n\r\n".to_vec())).await;
    assert_eq!(whole(&egress(&server.url("/")), message(&server.url("/"))).await.unwrap().status, 304);
}

#[tokio::test]
async fn h21_to_https_on_the_same_host_no_credential_goes_along() {
    let server = Server::start(|_| reply("200 OK", &[], b"here")).await;
    let authority = Authority::of("mcp.example", &["http/1.1"]);
    let serving = server.clone();
    let secure = authority.listen(move |stream| serving.clone().serve(stream)).await;
    let plain =
        Server::start(|_| reply("308 Permanent Redirect", &["Location: https://mcp.example/mcp"], b"")).await;
    let roads = crate::crossing::Crossing::new(&[(80, plain.address), (443, secure)]);
    let names = crate::network::Names::new(&[&["9.9.9.9"]]);
    let parts = codewhale_mcp_net::client::Parts { resolver: names, dialer: roads, ..authority.parts() };
    let url = "http://mcp.example/mcp";
    let egress = codewhale_mcp_net::client::Engine::new(parts).egress(guard(url), Purpose::Message);
    let mut call = message(url);
    let secrets = [
        ("authorization", "Bearer t1"),
        ("cookie", "c=1"),
        ("mcp-session-id", "s1"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-param-key", "p1"),
        ("x-key", "k1"),
        ("dpop", "d1"),
        ("last-event-id", "e1"),
    ];
    for (name, value) in secrets {
        call.headers.insert(name, value.parse().unwrap());
    }
    call.headers.insert("content-type", "application/json".parse().unwrap());
    call.headers.insert("accept", "application/json".parse().unwrap());
    let authorizer = Token::new(&[]);
    let answer = soon(egress.send(call, Some(&authorizer))).await.unwrap();
    assert_eq!(answer.status, 200);
    assert!(plain.received()[0].head.contains("authorization: Bearer token-0"));
    let received = &server.received()[0];
    assert_eq!(received.line(), "POST /mcp HTTP/1.1");
    assert_eq!(received.body, b"{\"m\":1}");
    let mut names: Vec<_> = received
        .head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "accept-encoding", "content-length", "content-type", "host", "user-agent"]);
    assert_eq!(authorizer.seen(), ["0 http://mcp.example/mcp 308"]);
}
