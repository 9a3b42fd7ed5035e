//! Where a server with a public name must not lead: each way ends with exit code 4 and names its rule.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codewhale_cli::{Dialer, Exit, Resolver, Stream};
use codewhale_testkit::HttpFake;
use serde_json::json;
use tokio::net::TcpStream;

use crate::remote::machine;
use crate::world::Ran;

const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));
const OTHER: IpAddr = IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1));
const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 5));
const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Answers in turn; the last one is given from then on.
#[derive(Debug)]
struct Answers(Mutex<VecDeque<Vec<IpAddr>>>);

#[async_trait]
impl Resolver for Answers {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let mut answers = self.0.lock().expect("no holder panics");
        let next = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Ok(next.unwrap_or_default())
    }
}

/// Every road leads to one port of this machine, and it is known who wanted to go where.
#[derive(Debug)]
struct Roads {
    port: u16,
    dialled: Mutex<Vec<IpAddr>>,
}

#[async_trait]
impl Dialer for Roads {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        self.dialled.lock().expect("no holder panics").push(address.ip());
        Ok(Box::new(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?))
    }
}

/// `mcp connect` to `http://mcp.test`, which is this fake server, and the addresses that were dialled.
fn connect(fake: &HttpFake, answers: &[&[IpAddr]]) -> (Ran, Vec<IpAddr>) {
    let machine = machine(&json!({"url": format!("http://mcp.test:{}/mcp", fake.port())}));
    let answers = answers.iter().map(|answer| answer.to_vec()).collect();
    let roads = Arc::new(Roads { port: fake.port(), dialled: Mutex::default() });
    let trial = machine.trial().roads(Arc::new(Answers(Mutex::new(answers))), roads.clone());
    let ran = trial.run(&["mcp", "connect", "s"]);
    let dialled = roads.dialled.lock().expect("no holder panics").clone();
    (ran, dialled)
}

#[test]
fn a_public_name_leads_to_its_server() {
    let fake = HttpFake::start("everything");
    let (ran, dialled) = connect(&fake, &[&[PUBLIC, OTHER]]);
    ran.ends(Exit::Ok);
    assert!(!dialled.is_empty() && dialled.iter().all(|address| [PUBLIC, OTHER].contains(address)));
}

#[test]
fn one_private_address_among_the_answers_is_enough() {
    for (answer, rule) in [
        (vec![PUBLIC, LOOPBACK], "no request to loopback addresses"),
        (vec![PRIVATE, PUBLIC], "no request to private addresses"),
        (vec![PUBLIC, "::ffff:127.0.0.1".parse().unwrap()], "no request to loopback addresses"),
        (vec![PUBLIC, "169.254.169.254".parse().unwrap()], "no request to link-local addresses"),
    ] {
        let fake = HttpFake::start("everything");
        let (ran, dialled) = connect(&fake, &[&answer]);
        ran.ends(Exit::Blocked).says(rule).says("mcp.test");
        assert_eq!((dialled, fake.requests().len()), (Vec::new(), 0), "{answer:?}");
    }
}

#[test]
fn a_name_that_turns_private_is_not_followed_there() {
    let fake = HttpFake::start("connection-dropped --era legacy");
    let (ran, dialled) = connect(&fake, &[&[PUBLIC], &[LOOPBACK]]);
    ran.ends(Exit::Blocked).says("no request to loopback addresses").says("127.0.0.1");
    assert_eq!(dialled, [PUBLIC], "what was dialled is what was looked at");
}

#[test]
fn a_redirect_leads_to_no_other_origin() {
    for target in [
        "http://169.254.169.254/latest/meta-data",
        "http://other.test/mcp",
        "http://internal.test:8080/",
        "http://127.0.0.1/",
        "http://localhost/mcp",
        "https://other.test/mcp",
    ] {
        let fake = HttpFake::start(&format!("redirect-other-origin --to {target}"));
        let (ran, dialled) = connect(&fake, &[&[PUBLIC], &[PRIVATE]]);
        ran.ends(Exit::Blocked).says("which is another origin").says(target);
        assert_eq!(dialled, [PUBLIC], "{target}");
    }
}
