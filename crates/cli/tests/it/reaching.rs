//! Servers with a URL that cannot be reached, must not be, or answer with no answer.

use codewhale_cli::Exit;
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

use crate::remote::{machine, machine_of};
use crate::world::{Machine, Ran};

const LOOPBACK: [u8; 4] = [127, 0, 0, 1];

#[test]
fn a_name_for_a_private_address_is_blocked_unless_that_is_allowed() {
    let fake = HttpFake::start("everything");
    let url = format!("http://internal.test:{}/mcp", fake.port());
    let connect = |definition: Value, args: &[&str]| -> Ran {
        let machine = machine(&definition);
        machine.trial().names_are(LOOPBACK.into()).run(&[&["mcp"], args].concat())
    };
    let blocked = json!({"url": url});
    let ran = connect(blocked.clone(), &["connect", "s"]).ends(Exit::Blocked);
    ran.says("no request to loopback addresses")
        .says("internal.test")
        .says("127.0.0.1")
        .says("allow_private");
    let ran = connect(blocked, &["validate"]).ends(Exit::Blocked).prints("s  blocked  ");
    ran.prints("  no request to loopback").says("1 server: 1 blocked");
    connect(json!({}), &["connect", "--url", &url]).ends(Exit::Blocked);
    assert_eq!(fake.requests().len(), 0);
    connect(json!({"url": url, "allow_private_network": true}), &["connect", "s"]).ends(Exit::Ok);
    connect(json!({}), &["connect", "--url", &url, "--allow-private-network"]).ends(Exit::Ok);
}

#[test]
fn the_settings_say_which_hosts_may_be_reached() {
    let fake = HttpFake::start("everything");
    let machine = machine_of(&fake);
    let settings = machine.home().join(".codewhale/config.toml");
    let connect = |text: &str| {
        machine.write(&settings, text);
        machine.run(&["mcp", "connect", "s"])
    };
    connect("[network]\nallow = [\"127.0.0.0/8\"]").ends(Exit::Ok);
    let ran = connect("[network]\nallow = [\"*\"]\ndeny = [\"127.0.0.1\"]").ends(Exit::Blocked);
    ran.says("the network settings deny it: 127.0.0.1");
    let ran = connect("[network]\nallow = [\"*.example\"]").ends(Exit::Blocked);
    ran.says("the network settings do not allow it");
    let ran = connect("[network]\ndeny = [\"http://x\", \"a.*\"]").ends(Exit::Usage);
    ran.says("config.toml:2:9: `network.deny` must be a host").says("config.toml:2:21");
    connect("[network]\nca_file = \"certs.pem\"")
        .ends(Exit::Usage)
        .says("`network.ca_file` must be an absolute");
    let secure = json!({"servers": {"s": {"url": format!("https://127.0.0.1:{}/mcp", fake.port())}}});
    machine.write(&machine.config(), &secure.to_string());
    connect("[network]\nca_file = \"~/none.pem\"").ends(Exit::Failed).says("/home/none.pem");
}

#[test]
fn proxies_are_those_of_the_environment_that_the_run_is_given() {
    let machine = machine(&json!({"url": "http://mcp.test/mcp", "headers": {"X-A": "secret-value"}}));
    let through = |no_proxy: &str| {
        let trial = machine.trial().variable("http_proxy", "http://me:pass-word@127.0.0.1:1");
        trial.variable("NO_PROXY", no_proxy).names_are(LOOPBACK.into()).run(&["mcp", "connect", "s"])
    };
    through("").ends(Exit::Failed).says("127.0.0.1:1").hides("pass-word");
    through("*.test").ends(Exit::Blocked).says("no request to loopback addresses");
}

#[test]
fn a_server_that_is_not_there_or_never_answers_ends_within_its_budget() {
    let machine = machine(&json!({"url": "http://127.0.0.1:1/mcp"}));
    let ran = machine.run(&["mcp", "connect", "s"]).ends(Exit::Failed);
    ran.says("cannot reach 127.0.0.1:1").says("look at the URL").hides("standard error");
    let silent = HttpFake::start("silent");
    let machine = machine_of(&silent);
    let ran = machine.run(&["mcp", "connect", "s", "--connect-timeout", "0.5"]).ends(Exit::TimedOut);
    ran.says("server/discover").says("--connect-timeout");
    let silent = HttpFake::start("silent --at tools/call");
    let ran = machine_of(&silent).run(&["mcp", "call", "s", "echo", "text=x", "--timeout", "0.5"]);
    ran.ends(Exit::TimedOut);
}

#[test]
fn a_status_that_is_no_answer_is_told_with_what_it_says() {
    let fake = HttpFake::start("500-html");
    let ran = machine_of(&fake).run(&["mcp", "connect", "s"]).ends(Exit::Failed).says("status 500");
    ran.hides("\u{1b}");
    let fake = HttpFake::start("redirect-other-origin");
    let ran = machine_of(&fake).run(&["mcp", "connect", "s"]).ends(Exit::Blocked);
    ran.says("sends us to").says("if you trust it");
    assert_eq!(fake.elsewhere().len(), 0);
    let fake = HttpFake::start("500-html --at tools/call");
    machine_of(&fake).run(&["mcp", "call", "s", "echo", "text=x"]).ends(Exit::Failed).says("status 500");
}

#[test]
fn a_remote_server_that_hangs_delays_no_other() {
    let (silent, good, login) =
        (HttpFake::start("silent"), HttpFake::start("everything"), HttpFake::start("401"));
    let machine = Machine::new();
    let servers = json!({"servers": {
        "hangs": {"url": silent.url(), "connect_timeout": 2},
        "good": {"url": good.url(), "headers": {"X-Api-Key": "hunter2hunter2"}},
        "login": {"url": login.url()},
    }});
    machine.write(&machine.config(), &servers.to_string());
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Failed);
    let at = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text:?} is missing: {ran}"));
    assert!(
        at("good   ready") < at("hangs  failed") && at("login  needs_login") < at("hangs  failed"),
        "{ran}"
    );
    ran.prints("holds a secret, use `env_headers` or `${VAR}` instead").hides("hunter2");
}
