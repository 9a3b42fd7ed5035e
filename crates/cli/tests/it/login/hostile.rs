//! Servers and authorization servers that lead a login astray: each is refused by its rule, before a browser goes
//! anywhere and before a token is asked for.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codewhale_cli::{Dialer, Exit, Resolver, Stream};
use codewhale_testkit::HttpFake;
use serde_json::json;
use tokio::net::TcpStream;

use super::Browser;
use super::world::{CALL, asked, login, machine_of};
use crate::world::Machine;

/// A login at a server that says this comes to nothing: exit code, and what is said.
fn check(words: &[&str], exit: Exit, rule: &str) {
    let fake = HttpFake::start_with(&[&["oauth"], words].concat());
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s"]);
    let ran = ran.ends(exit).says(rule);
    assert_eq!(
        (opened.len(), asked(&fake, "/authorize"), asked(&fake, "/token")),
        (0, 0, 0),
        "{words:?}: {ran}"
    );
    assert_eq!(fake.elsewhere().len(), 0, "{words:?}");
    // Nothing of it is kept.
    machine.run(&CALL).ends(Exit::LoginNeeded);
}

#[test]
fn an_endpoint_is_https_or_on_this_machine_and_hides_nothing() {
    for name in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
        let what = name.replace('_', " ");
        for (url, rule) in [
            ("file:///etc/passwd", "is neither https nor http"),
            ("javascript:alert(1)", "is neither https nor http"),
            ("data:text/html,x", "is neither https nor http"),
            ("ssh://-oProxyCommand=touch${IFS}x/", "is neither https nor http"),
            ("-h;touch PWNED", "is no URL"),
            ("http://login.example/", "is not encrypted: https is needed"),
            ("http://localhost.evil.example/", "is not encrypted: https is needed"),
            ("https://login.example@evil.example/", "has a user in it"),
            ("https://login.example/#fragment", "has a fragment"),
        ] {
            let said = format!("{name}={url}");
            check(&["--says", &said], Exit::Failed, &format!("the {what} "));
            check(&["--says", &said], Exit::Failed, rule);
        }
    }
}

#[test]
fn metadata_of_somebody_else_are_of_no_use() {
    check(
        &["--says", "issuer=https://other.example"],
        Exit::Failed,
        "say that they are of https://other.example",
    );
    check(
        &["--resource-says", "resource=https://other.example/mcp"],
        Exit::Failed,
        "are about https://other.example/mcp, which is not http://127.0.0.1",
    );
    check(&["--resource-says", "authorization_servers=file:///x"], Exit::Failed, "is neither https nor http");
    check(&["--told", "javascript:alert(1)"], Exit::Failed, "is neither https nor http");
}

#[test]
fn metadata_that_never_end_are_given_up() {
    check(&["--loops", "yes"], Exit::Failed, "after too many others");
    check(&["--padding", "10485760"], Exit::Failed, "1048576");
}

#[test]
fn metadata_in_private_networks_are_not_asked_for() {
    for (address, rule) in [
        ("10.0.0.1", "no request to private addresses"),
        ("192.168.1.1", "no request to private addresses"),
        ("169.254.169.254", "no request to link-local addresses"),
        ("100.64.0.1", "no request to shared addresses"),
        ("[fd00::1]", "no request to unique local addresses"),
        ("[::ffff:10.0.0.1]", "no request to private addresses"),
    ] {
        let url = format!("https://{address}/x");
        check(&["--told", &url], Exit::Blocked, rule);
        check(&["--resource-says", &format!("authorization_servers={url}")], Exit::Blocked, rule);
        for name in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
            check(&["--says", &format!("{name}={url}")], Exit::Blocked, rule);
        }
    }
}

#[test]
fn an_answer_of_somebody_else_is_not_used() {
    for iss in ["none", "https://other.example", "http://127.0.0.1", "HTTP://127.0.0.1"] {
        let fake = HttpFake::start_with(&["oauth", "--iss", iss, "--error", "words of a stranger"]);
        let machine = machine_of(&fake);
        let (ran, opened) = login(&machine, &["s"]);
        let came = match iss {
            "none" => "without `iss`, which was to say that it was there".to_owned(),
            other => format!("with the `iss` of another one: {other}"),
        };
        let asked_of = format!("http://127.0.0.1:{}", fake.port());
        let ran = ran.ends(Exit::Failed);
        ran.says(&format!("the browser was sent to {asked_of} and came back {came}; nothing of it is used"))
            .hides("words of a stranger");
        assert_eq!((opened.len(), asked(&fake, "/token")), (1, 0), "{iss}");
    }
}

#[test]
fn an_answer_that_says_something_twice_is_not_used() {
    for (words, said, tokens) in [
        (["--also", "code=another"], "a parameter that is there twice; nothing of it is used", 0),
        (["--also", "x=1&x=1"], "a parameter that is there twice; nothing of it is used", 0),
        (["--twice", "access_token"], "is no token: a member is there twice", 1),
        (["--twice", "scope"], "is no token: a member is there twice", 1),
    ] {
        let fake = HttpFake::start_with(&[&["oauth"][..], &words].concat());
        let machine = machine_of(&fake);
        let (ran, opened) = login(&machine, &["s"]);
        ran.ends(Exit::Failed).says(said).hides("-secret-");
        assert_eq!((opened.len(), asked(&fake, "/token")), (1, tokens), "{words:?}");
        machine.run(&CALL).ends(Exit::LoginNeeded);
    }
}

/// Names, where they are, and a road from everywhere public to one port of this machine.
#[derive(Debug)]
struct Net {
    names: HashMap<&'static str, Vec<IpAddr>>,
    port: u16,
    dialled: Mutex<Vec<IpAddr>>,
}

#[async_trait]
impl Resolver for Net {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.names.get(host).cloned().ok_or_else(|| io::Error::other("no such name"))
    }
}

#[async_trait]
impl Dialer for Net {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        self.dialled.lock().unwrap().push(address.ip());
        Ok(Box::new(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?))
    }
}

#[test]
fn a_public_server_leads_nobody_to_this_machine_or_into_its_network() {
    const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));
    let other = HttpFake::start("oauth");
    let here = format!("http://127.0.0.1:{}/.well-known/oauth-protected-resource/mcp", other.port());
    for (told, rule) in [
        (&*here, "no request to loopback addresses"),
        ("http://localhost/x", "localhost"),
        ("https://10.0.0.1/x", "no request to private addresses"),
        ("https://inside.test/x", "no request to private addresses"),
        ("https://metadata.test/x", "no request to link-local addresses"),
        ("https://[::1]/x", "no request to loopback addresses"),
    ] {
        let fake = HttpFake::start_with(&["oauth", "--told", told]);
        let machine = Machine::new();
        machine.hears(&fake);
        let url = format!("http://mcp.test:{}/mcp", fake.port());
        machine.write(&machine.config(), &json!({"servers": {"s": {"url": url}}}).to_string());
        let names = HashMap::from([
            ("mcp.test", vec![PUBLIC]),
            ("inside.test", vec![IpAddr::from([10, 0, 0, 5])]),
            ("metadata.test", vec![IpAddr::from([169, 254, 169, 254])]),
        ]);
        let net = Arc::new(Net { names, port: fake.port(), dialled: Mutex::default() });
        let browser = Arc::<Browser>::default();
        let trial = machine.trial().roads(net.clone(), net.clone()).browser(browser.clone());
        trial.run(&["mcp", "login", "s"]).ends(Exit::Blocked).says(rule);
        assert_eq!(browser.opened().len(), 0, "{told}");
        assert!(net.dialled.lock().unwrap().iter().all(|address| *address == PUBLIC), "{told}");
        assert_eq!((asked(&fake, "/token"), other.requests().len()), (0, 0), "{told}");
    }
}

#[test]
fn nobody_is_sent_to_a_browser_for_a_code_that_could_not_be_exchanged() {
    const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 5));
    const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));
    for (addresses, exit, rule) in [
        (vec![PRIVATE], Exit::Blocked, "no request to private addresses (RFC 1918): inside.test is 10.0.0.5"),
        (vec![PUBLIC, PRIVATE], Exit::Blocked, "inside.test is 10.0.0.5"),
        (vec![IpAddr::from([169, 254, 169, 254])], Exit::Blocked, "no request to link-local addresses"),
        (vec![IpAddr::from([100, 64, 0, 1])], Exit::Blocked, "no request to shared addresses"),
        (vec!["fd00::1".parse().unwrap()], Exit::Blocked, "no request to unique local addresses"),
        (vec!["::ffff:10.0.0.5".parse().unwrap()], Exit::Blocked, "no request to private addresses"),
        (Vec::new(), Exit::Failed, "inside.test"),
    ] {
        for way in [&["mcp", "login", "s"][..], &["mcp", "login", "s", "--device"]] {
            let says = "token_endpoint=https://inside.test/token";
            let fake = HttpFake::start_with(&["oauth", "--device", "yes", "--says", says]);
            let machine = machine_of(&fake);
            let names = HashMap::from([("inside.test", addresses.clone())]);
            let net = Arc::new(Net { names, port: fake.port(), dialled: Mutex::default() });
            let browser = Arc::<Browser>::default();
            let trial = machine.trial().roads(net.clone(), net.clone()).browser(browser.clone());
            let ran = trial.run(way).ends(exit).says(rule);
            ran.hides("open this address").hides("type in the code");
            assert_eq!(browser.opened().len(), 0, "{addresses:?}");
            assert_eq!((asked(&fake, "/authorize"), asked(&fake, "/token")), (0, 0), "{addresses:?}");
            let dialled = net.dialled.lock().unwrap();
            assert!(dialled.iter().all(IpAddr::is_loopback), "{dialled:?}");
        }
    }
}
