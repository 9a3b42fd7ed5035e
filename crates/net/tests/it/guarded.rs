//! The guard at the moment of connecting: what is refused is never dialled.

use std::net::{Ipv4Addr, SocketAddr};

use codewhale_mcp_net::{
    Author, Call, Definition, Fetch, Guard, NetError, PrivateNetwork, Purpose, Range, Refusal, Rule,
};

use crate::network::{Names, Roads, egress, made, message, parts, whole};
use crate::server::{Reply, Server, reply};
use crate::world::guard;

const PUBLIC: &str = "http://mcp.example/";

fn not_public(range: Range, host: &str, address: &str) -> NetError {
    let (rule, host) = (Rule::NotPublic(range), host.to_owned());
    Refusal { rule, host, address: Some(address.parse().unwrap()) }.into()
}

#[tokio::test]
async fn x04_the_address_that_was_checked_is_the_one_that_is_dialled() {
    const BYE: &[u8] = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
    let server = Server::start(|_| Reply::Close(BYE.to_vec())).await;
    let names = Names::new(&[&["9.9.9.9"], &["10.0.0.1"]]);
    let roads = Roads::to(server.address);
    let egress = made(PUBLIC, &names, &roads);
    whole(&egress, message(PUBLIC)).await.unwrap();
    assert_eq!(names.asked(), ["mcp.example"], "one look-up for check and connection");
    assert_eq!(roads.dialled(), ["9.9.9.9:80"]);
    server.open(0).await;
    let later = whole(&egress, message(PUBLIC)).await.unwrap_err();
    assert_eq!(later, not_public(Range::Private, "mcp.example", "10.0.0.1"));
    assert_eq!(later.to_string(), "no request to private addresses (RFC 1918): mcp.example is 10.0.0.1");
    assert_eq!(roads.dialled(), ["9.9.9.9:80"]);
}

#[tokio::test]
async fn x04_one_private_answer_refuses_the_public_ones_beside_it() {
    let cases = [
        (&["9.9.9.9", "192.168.1.1"][..], not_public(Range::Private, "mcp.example", "192.168.1.1")),
        (&["127.0.0.1", "9.9.9.9"], not_public(Range::Loopback, "mcp.example", "127.0.0.1")),
        (&["9.9.9.9", "::ffff:10.0.0.1"], not_public(Range::Private, "mcp.example", "::ffff:10.0.0.1")),
        (&["169.254.169.254"], not_public(Range::LinkLocal, "mcp.example", "169.254.169.254")),
    ];
    for (addresses, refusal) in cases {
        let roads = Roads::to((Ipv4Addr::LOCALHOST, 1).into());
        let egress = made(PUBLIC, &Names::new(&[addresses]), &roads);
        assert_eq!(whole(&egress, message(PUBLIC)).await.unwrap_err(), refusal);
        assert_eq!(roads.dialled(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn x04_a_redirect_reaches_nothing_that_the_request_may_not() {
    let another = "which is another origin";
    let cases = [
        ("http://169.254.169.254/latest/meta-data/", another),
        ("http://127.0.0.1:9/", another),
        ("http://other.example/mcp", another),
        ("http://mcp.example:8080/", another),
        ("//other.example/mcp", another),
        ("ftp://mcp.example/", another),
        ("http://user:hunter2@mcp.example/", "with a user or a password in it"),
        ("http://[::1", "which is no URL"),
    ];
    for (location, why) in cases {
        let header = format!("Location: {location}");
        let server = Server::start(move |_| reply("307 Temporary Redirect", &[&header], b"")).await;
        let roads = Roads::to(server.address);
        let egress = made(PUBLIC, &Names::new(&[&["9.9.9.9"]]), &roads);
        let error = whole(&egress, message(PUBLIC)).await.unwrap_err();
        assert!(
            matches!(&error, NetError::Redirected { status: 307, why: said, .. } if *said == why),
            "{error}"
        );
        assert!(!error.to_string().contains("hunter2"), "{error}");
        assert_eq!((roads.dialled().len(), server.received().len()), (1, 1), "{location}");
    }
}

#[tokio::test]
async fn x04_from_http_to_https_no_consent_goes_along() {
    let cases = [
        // The name is private by now.
        (
            PUBLIC,
            PrivateNetwork::Refused,
            "https://mcp.example/",
            not_public(Range::Private, "mcp.example", "10.0.0.1"),
        ),
        // Consent was for http.
        (
            PUBLIC,
            PrivateNetwork::Allowed,
            "https://mcp.example/",
            not_public(Range::Private, "mcp.example", "10.0.0.1"),
        ),
        (
            "http://127.0.0.1/",
            PrivateNetwork::Refused,
            "https://127.0.0.1/",
            not_public(Range::Loopback, "127.0.0.1", "127.0.0.1"),
        ),
    ];
    for (from, private_network, to, refusal) in cases {
        let header = format!("Location: {to}");
        let server = Server::start(move |_| reply("308 Permanent Redirect", &[&header], b"")).await;
        let roads = Roads::to(server.address);
        let names = Names::new(&[&["9.9.9.9"], &["10.0.0.1"]]);
        let mut guard = guard(from);
        guard.definition.private_network = private_network;
        let egress = parts(&names, &roads).egress(guard, Purpose::Message);
        assert_eq!(whole(&egress, message(from)).await.unwrap_err(), refusal);
        assert_eq!(roads.dialled().len(), 1);
    }
}

#[tokio::test]
async fn a_private_name_needs_the_flag_of_an_operator() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    for (author, private_network, reached) in [
        (Author::Operator, PrivateNetwork::Allowed, true),
        (Author::Operator, PrivateNetwork::Refused, false),
        (Author::Model, PrivateNetwork::Allowed, false),
        (Author::Plugin, PrivateNetwork::Allowed, false),
    ] {
        let url = "http://mcp.internal/";
        let plain = guard(url);
        let definition = Definition { author, private_network, ..plain.definition.clone() };
        let roads = Roads::to(server.address);
        let engine = parts(&Names::new(&[&["10.0.0.1"]]), &roads);
        let egress = engine.egress(Guard { definition, ..plain }, Purpose::Message);
        assert_eq!(whole(&egress, message(url)).await.is_ok(), reached, "{author:?} {private_network:?}");
        assert_eq!(roads.dialled().len(), usize::from(reached));
    }
}

#[tokio::test]
async fn a_login_of_a_public_server_reaches_nothing_private() {
    let roads = Roads::to((Ipv4Addr::LOCALHOST, 1).into());
    let engine = parts(&Names::new(&[&["10.1.2.3"]]), &roads);
    let egress = engine.egress(guard("https://mcp.example/"), Purpose::Login);
    for (url, refusal) in [
        ("https://169.254.169.254/x", not_public(Range::LinkLocal, "169.254.169.254", "169.254.169.254")),
        ("https://127.0.0.1:8443/x", not_public(Range::Loopback, "127.0.0.1", "127.0.0.1")),
        ("https://[::ffff:10.0.0.1]/x", not_public(Range::Private, "[::ffff:a00:1]", "::ffff:10.0.0.1")),
        ("https://login.example/x", not_public(Range::Private, "login.example", "10.1.2.3")),
    ] {
        let get = Call::get(url.parse().unwrap());
        assert_eq!(whole(&egress, get).await.unwrap_err(), refusal);
    }
    assert_eq!(roads.dialled(), Vec::<String>::new());
}

#[tokio::test]
async fn a_loopback_server_is_reached_as_it_is_written() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let SocketAddr::V4(address) = server.address else { panic!("IPv4") };
    // What the URL standard makes of it is 127.0.0.1, and the guard sees that.
    let url = format!("http://0x7f.1:{}/", address.port());
    whole(&egress(&url), message(&url)).await.unwrap();
    assert_eq!(server.received()[0].header("host"), Some(format!("127.0.0.1:{}", address.port()).as_str()));
}

#[tokio::test]
async fn where_a_later_request_would_go_is_judged_with_what_its_name_stands_for_now() {
    let roads = Roads::to((Ipv4Addr::LOCALHOST, 1).into());
    let names = Names::new(&[&["9.9.9.9"], &["9.9.9.9", "10.0.0.1"], &[]]);
    let egress = made(PUBLIC, &names, &roads);
    let url = PUBLIC.parse().unwrap();
    egress.judge_resolved(&url).await.unwrap();
    let refused = egress.judge_resolved(&url).await.unwrap_err();
    assert_eq!(refused, not_public(Range::Private, "mcp.example", "10.0.0.1"));
    let lost = egress.judge_resolved(&url).await.unwrap_err();
    assert!(matches!(lost, NetError::Resolve { .. }), "{lost}");
    assert_eq!(names.asked().len(), 3);
    assert_eq!(roads.dialled(), Vec::<String>::new());
}
