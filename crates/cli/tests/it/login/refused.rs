//! Logins that come to nothing.

use codewhale_cli::Exit;
use codewhale_testkit::HttpFake;
use serde_json::json;

use super::world::{CALL, asked, login, machine_of, machine_with};
use crate::world::{Machine, fake};

#[test]
fn whoever_declines_is_not_logged_in() {
    let fake = HttpFake::start("oauth --declines yes");
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Failed).says("cannot log in to `s`: the authorization was declined");
    assert_eq!((opened.len(), asked(&fake, "/token")), (1, 0));
    machine.run(&CALL).ends(Exit::LoginNeeded);
    let told = machine.json(&["mcp", "login", "s"]);
    assert_eq!(told["error"]["class"], "login_failed");
}

#[test]
fn a_failed_login_leaves_the_former() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let deny = "[network]\ndeny = [\"127.0.0.1\"]\n";
    machine.write(&machine.home().join(".codewhale/config.toml"), deny);
    login(&machine, &["s"]).0.ends(Exit::Blocked);
    machine.write(&machine.home().join(".codewhale/config.toml"), "");
    machine.run(&CALL).ends(Exit::Ok);
}

#[test]
fn a_server_that_lets_everybody_in_needs_no_login() {
    let fake = HttpFake::start("everything");
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok).prints("s lets everybody in; no login is needed");
    assert_eq!(opened.len(), 0);
    assert_eq!(machine.json(&["mcp", "login", "s"])["login"], "not_needed");
}

#[test]
fn a_server_that_is_not_there_is_told_as_one() {
    let fake = HttpFake::start("500-html");
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Failed).says("cannot connect to `s`").says("500");
    assert_eq!(opened.len(), 0);
    fake.stop();
    login(&machine, &["s"]).0.ends(Exit::Failed).says("cannot connect to `s`");
}

#[test]
fn a_client_that_cannot_be_had_is_a_matter_of_configuration() {
    let fake = HttpFake::start("oauth --register no");
    let machine = machine_of(&fake);
    login(&machine, &["s"])
        .0
        .ends(Exit::Usage)
        .says("no client id for http://127.0.0.1")
        .says("`oauth.client_id`");
    let machine =
        machine_with(&fake, json!({"oauth": {"client_id": "x", "client_secret_env_var": "ITS_SECRET"}}));
    for command in ["login", "connect"] {
        machine.run(&["mcp", command, "s"]).ends(Exit::Usage).says("names ITS_SECRET, which is not set");
    }
}

#[test]
fn where_only_a_token_of_ones_own_does_it_is_said_where_that_goes() {
    for words in ["status --status 401", "401"] {
        let fake = HttpFake::start(words);
        let machine = machine_of(&fake);
        machine.run(&["mcp", "connect", "s"]).ends(Exit::LoginNeeded).says("run codewhale mcp login s");
        let (ran, opened) = login(&machine, &["s"]);
        let ran = ran.ends(Exit::Failed).says("the server offers no OAuth").says("`bearer_token_env_var`");
        ran.says("`codewhale mcp add s --force --url … --bearer-token-env-var VARIABLE`");
        assert_eq!(opened.len(), 0, "{words}");
        let ran = machine.run(&["mcp", "login", "--url", &fake.url()]).ends(Exit::Failed);
        ran.says("`--url … --bearer-token-env-var VARIABLE`");
    }
}

#[test]
fn a_variable_that_is_named_alone_gets_no_default() {
    let fake = HttpFake::start("everything");
    for more in [
        json!({"bearer_token_env_var": "THE_TOKEN"}),
        json!({"env_headers": {"X-Key": "THE_TOKEN"}}),
        json!({"oauth": {"client_id": "x", "client_secret_env_var": "THE_TOKEN"}}),
    ] {
        let machine = machine_with(&fake, more);
        for command in ["connect", "validate"] {
            let ran = machine.run(&["mcp", command, "s"]).hides("${");
            assert!(
                ran.to_string().contains("set THE_TOKEN") || ran.to_string().contains("set the variable"),
                "{ran}"
            );
        }
    }
    let machine = machine_with(&fake, json!({"headers": {"X-Key": "${THE_TOKEN}"}}));
    machine.run(&["mcp", "connect", "s"]).ends(Exit::Usage).says("${THE_TOKEN:-…}");
}

#[test]
fn what_has_no_login_is_told_so() {
    let server = HttpFake::start("oauth");
    let machine = machine_with(&server, json!({"headers": {"Authorization": "Bearer ${TOKEN:-own-token}"}}));
    let ran = machine.run(&["mcp", "login", "s"]).ends(Exit::Usage);
    ran.says("sends credentials of its own").hides("own-token");
    let machine = Machine::new();
    machine.with_fakes(&[("p", &["plain"])]);
    for command in ["login", "logout"] {
        machine.run(&["mcp", command, "p"]).ends(Exit::Usage).says("only servers with a URL have logins");
        machine.run(&["mcp", command, "--stdio", &fake()]).ends(Exit::Usage);
        machine.run(&["mcp", command, "nobody"]).ends(Exit::Usage);
        machine.run(&["mcp", command]).ends(Exit::Usage);
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn nobody_logs_in_to_what_nobody_agreed_to() {
    let fake = HttpFake::start("oauth");
    let machine = Machine::new();
    machine.hears(&fake);
    machine.write(&machine.project(), &json!({"servers": {"s": {"url": fake.url()}}}).to_string());
    login(&machine, &["s"]).0.ends(Exit::Blocked).says("codewhale trust");
    assert_eq!(fake.requests().len(), 0);
}

#[test]
fn a_server_of_the_command_line_is_named_as_it_was() {
    let fake = HttpFake::start("oauth");
    let machine = Machine::new();
    machine.hears(&fake);
    let given = json!({"mcpServers": {"given": {"url": fake.url()}}}).to_string();
    let ran = machine.run(&["mcp", "validate", "--mcp-config", &given]).ends(Exit::LoginNeeded);
    ran.prints("next: run `codewhale mcp login given --mcp-config …`");
    login(&machine, &["given", "--mcp-config", &given]).0.ends(Exit::Ok);
    machine.run(&["mcp", "validate", "--mcp-config", &given]).ends(Exit::Ok);
    let ran = machine.run(&["mcp", "validate", "--url", &fake.url()]).ends(Exit::LoginNeeded);
    ran.prints("next: run `codewhale mcp login --url …`");
}

#[test]
fn credentials_of_the_definition_that_a_call_lacks_are_no_missing_login() {
    let fake = HttpFake::start("status --status 401 --at tools/call");
    let machine = machine_with(&fake, json!({"headers": {"Authorization": "Bearer ${TOKEN:-own-token}"}}));
    let ran = machine.run(&CALL).ends(Exit::LoginNeeded).hides("own-token");
    ran.says("the server asks for a login").hides("mcp login");
    let machine = machine_of(&fake);
    machine.run(&CALL).ends(Exit::LoginNeeded).says("run codewhale mcp login s");
}
