//! Logins that are used, renewed and ended.

use std::time::{Duration, SystemTime};

use codewhale_cli::Exit;
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

use super::world::{CALL, asked, bodies, login, machine_of, machine_with, parameter};

#[test]
fn whoever_has_logged_in_may_call() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let required = "OAuth authentication required: run codewhale mcp login s";
    machine.run(&CALL).ends(Exit::LoginNeeded).says(required);
    for looks in
        [&["mcp", "connect", "s"][..], &["mcp", "tools"], &["mcp", "tools", "s"], &["mcp", "resources"]]
    {
        machine.run(looks).ends(Exit::LoginNeeded).says(required);
    }
    for checks in [&["mcp", "validate"][..], &["mcp", "validate", "s"], &["mcp", "list", "--check"]] {
        machine.run(checks).ends(Exit::LoginNeeded).prints(required);
    }
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("oauth: login needed");
    let (ran, opened) = login(&machine, &["s"]);
    let ran = ran.ends(Exit::Ok).prints("logged in to s at http://127.0.0.1:");
    assert_eq!(opened.len(), 1);
    ran.says(&format!("  {}\n", opened[0])).says("waiting for the browser to come back to http://127.0.0.1:");
    machine.run(&CALL).ends(Exit::Ok).prints("hello\n");
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("s  ready");
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("oauth: logged in");
    machine.run(&["mcp", "get", "s"]).prints("issuer: http://127.0.0.1:").prints("token: renewed by itself");
    assert_eq!((asked(&fake, "/register"), asked(&fake, "/token"), fake.count("tools/call")), (1, 1, 1));
}

/// A minute before a token ends that is good for an hour.
fn later() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_003_541)
}

#[test]
fn a_token_is_renewed_before_its_end() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let call = |clock: fn() -> SystemTime| machine.trial().at(clock).run(&CALL).ends(Exit::Ok);
    call(|| later() - Duration::from_secs(2));
    assert_eq!(asked(&fake, "/token"), 1);
    call(later).prints("hello\n");
    call(later).prints("hello\n");
    let forms = bodies(&fake, "/token");
    assert_eq!(forms.len(), 2, "{forms:?}");
    assert!(forms[1].contains("grant_type=refresh_token") && forms[1].contains("resource="), "{forms:?}");
    let refused = fake
        .requests()
        .iter()
        .filter(|one| one.header("authorization").is_none() && one.path == "/mcp")
        .count();
    assert_eq!(refused, 1, "only the login itself asks without a token");
}

#[test]
fn a_token_that_is_refused_is_renewed_once() {
    let fake = HttpFake::start("oauth --uses 4");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    machine.run(&CALL).ends(Exit::Ok).prints("hello\n");
    machine.run(&CALL).ends(Exit::Ok).prints("hello\n");
    assert_eq!((bodies(&fake, "/token").len(), fake.count("tools/call")), (2, 2));
    // What is never taken is not renewed for ever.
    let fake = HttpFake::start("oauth --uses 0");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    machine.run(&CALL).ends(Exit::LoginNeeded);
    assert_eq!(bodies(&fake, "/token").len(), 2);
}

#[test]
fn a_token_that_cannot_be_renewed_is_a_missing_login() {
    let fake = HttpFake::start("oauth --refresh no --uses 4");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok).says("good until 2027-01-15T09:00:00.000Z");
    machine.run(&["mcp", "list"]).prints("oauth: logged in");
    machine.trial().at(|| later() + Duration::from_secs(60)).run(&["mcp", "list"]).prints("oauth: expired");
    machine.run(&CALL).ends(Exit::Ok);
    machine.run(&CALL).ends(Exit::LoginNeeded);
    machine.run(&["mcp", "validate"]).ends(Exit::LoginNeeded).prints("s  needs_login");
    machine.run(&["mcp", "list"]).prints("oauth: login needed");
}

#[test]
fn more_scopes_are_asked_for_at_the_next_login() {
    let fake = HttpFake::start_with(&["oauth", "--scope", "read list", "--needs", "write"]);
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok);
    assert_eq!(parameter(&opened[0], "scope").as_deref(), Some("read list"));
    let ran = machine.run(&CALL).ends(Exit::LoginNeeded);
    ran.says("missing scopes: write: run codewhale mcp login s").hides("OAuth authentication required");
    let told = machine.json(&[&CALL[..], &[]].concat());
    assert_eq!(told["error"]["class"], "missing_scopes");
    // What does not need them goes on, and what was asked for is not forgotten.
    machine.run(&["mcp", "connect", "s"]).ends(Exit::Ok);
    machine.run(&["mcp", "list"]).prints("oauth: login needed");
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok).says("scopes: read list write");
    assert_eq!(parameter(&opened[0], "scope").as_deref(), Some("read list write"));
    machine.run(&CALL).ends(Exit::Ok);
}

#[test]
fn scopes_that_no_login_brings_are_no_missing_login() {
    let fake =
        HttpFake::start_with(&["oauth", "--scope", "read", "--needs", "write", "--withholds", "write"]);
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    machine.run(&CALL).ends(Exit::LoginNeeded).says("missing scopes: write: run codewhale mcp login s");
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok).says("scopes: read");
    assert_eq!(parameter(&opened[0], "scope").as_deref(), Some("read write"));
    let ran = machine.run(&CALL).ends(Exit::Failed);
    let ran = ran.says("missing scopes: write; the login was granted read").says("whoever runs the server");
    ran.hides("OAuth authentication required");
    let told = machine.json(&[&CALL[..], &[]].concat());
    assert_eq!(told["error"]["class"], "scopes_refused");
    machine.run(&["mcp", "list"]).prints("oauth: logged in");
    // Those that a server wants of everything.
    let fake = HttpFake::start_with(&[
        "oauth",
        "--scope",
        "read",
        "--needs",
        "all",
        "--withholds",
        "all",
        "--at",
        "tools/list",
    ]);
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::LoginNeeded).prints("s  needs_login");
    ran.prints("missing scopes: all").prints("next: run `codewhale mcp login s`");
    login(&machine, &["s"]).0.ends(Exit::Ok);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Failed);
    ran.prints("missing scopes: all; the login was granted read").prints("whoever runs the server");
}

#[test]
fn a_login_goes_with_the_server_that_is_removed() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let file = machine.home().join(".codewhale/credentials/credentials.json");
    let is_kept = || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("-secret-"));
    login(&machine, &["s"]).0.ends(Exit::Ok);
    assert!(is_kept());
    // Another file has the same server: it is still used.
    let definition = std::fs::read_to_string(machine.config()).unwrap();
    machine.write(&machine.project(), &definition);
    machine.run(&["trust", "--yes"]).ends(Exit::Ok);
    machine.run(&["mcp", "remove", "s", "--project"]).ends(Exit::Ok).hides("login");
    machine.run(&CALL).ends(Exit::Ok);
    let ran = machine.run(&["mcp", "remove", "s"]).ends(Exit::Ok).prints("removed s in ");
    ran.says("its login is deleted too; what http://127.0.0.1").says("granted may live on there");
    assert!(!is_kept());
    assert_eq!(asked(&fake, "/revoke"), 0);
    // Whoever comes again logs in, and is asked for consent.
    machine.write(&machine.config(), &definition);
    machine.run(&CALL).ends(Exit::LoginNeeded);
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok);
    assert_eq!(parameter(&opened[0], "prompt").as_deref(), Some("consent"));
    assert_eq!(machine.json(&["mcp", "remove", "s"])["login"], "deleted");
    assert!(!is_kept());
    // Without a login nothing is said of one, and no file of logins is made.
    machine.write(&machine.config(), &definition);
    assert_eq!(machine.json(&["mcp", "remove", "s"])["login"], serde_json::Value::Null);
}

#[test]
fn what_is_kept_is_deleted_without_the_variables_of_the_definition() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let file = machine.home().join(".codewhale/credentials/credentials.json");
    let is_kept = || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("-secret-"));
    let definition = std::fs::read_to_string(machine.config()).unwrap();
    let unset = json!({"servers": {"s": {
        "url": fake.url(), "bearer_token_env_var": "NOT_SET",
        "headers": {"X-Api": "${NOR_THIS}"}, "env_headers": {"X-Key": "NOR_THAT"},
    }}});
    for command in [["mcp", "logout", "s"], ["mcp", "remove", "s"]] {
        machine.write(&machine.config(), &definition);
        login(&machine, &["s"]).0.ends(Exit::Ok);
        assert!(is_kept());
        machine.write(&machine.config(), &unset.to_string());
        machine.run(&CALL).ends(Exit::Usage);
        machine.run(&command).ends(Exit::Ok);
        assert!(!is_kept(), "{command:?}");
    }
}

#[test]
fn a_logout_leaves_nothing_but_a_mark_and_the_next_login_asks_for_consent_once() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let prompts = |times: usize| -> Vec<Option<String>> {
        (0..times).map(|_| parameter(&login(&machine, &["s"]).1[0], "prompt")).collect()
    };
    assert_eq!(prompts(1), [None]);
    let ran = machine.run(&["mcp", "logout", "s"]).ends(Exit::Ok).prints("logged out of s");
    let ran = ran.says("granted may live on there").says("the next login asks for consent");
    ran.says("--revoke does so next time, before the tokens that it takes are gone");
    assert_eq!(asked(&fake, "/revoke"), 0);
    machine.run(&["mcp", "list"]).prints("oauth: logged out");
    machine.run(&CALL).ends(Exit::LoginNeeded);
    assert_eq!(prompts(2), [Some("consent".to_owned()), None]);
    machine.run(&CALL).ends(Exit::Ok);
    machine.run(&["mcp", "logout", "s", "--revoke"]).ends(Exit::Ok).says("has revoked the tokens");
    assert_eq!(asked(&fake, "/revoke"), 2);
    machine.run(&["mcp", "logout", "s"]).ends(Exit::Ok).prints("nobody was logged in to s");
    let fake = HttpFake::start("oauth --revocation no");
    let machine = machine_of(&fake);
    login(&machine, &["s"]).0.ends(Exit::Ok);
    machine.run(&["mcp", "logout", "s", "--revoke"]).ends(Exit::Ok).says("revokes no tokens");
}

#[test]
fn another_login_takes_the_place_of_the_former() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let mut sent = Vec::new();
    for _ in 0..2 {
        login(&machine, &["s"]).0.ends(Exit::Ok);
        machine.run(&CALL).ends(Exit::Ok);
        sent.push(fake.requests_of("tools/call").pop().unwrap().header("authorization").unwrap().to_owned());
    }
    assert_ne!(sent[0], sent[1]);
    assert_eq!(asked(&fake, "/register"), 1, "a registration is kept");
}

#[test]
fn what_the_definition_says_is_asked_for() {
    let fake = HttpFake::start_with(&["oauth", "--scope", "read", "--client", "mine"]);
    let machine = machine_with(
        &fake,
        json!({
            "oauth": {"client_id": "mine"}, "oauth_resource": "urn:the:resource", "scopes": ["a", "b"],
        }),
    );
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok);
    let asked_for = ["client_id", "resource", "scope"].map(|name| parameter(&opened[0], name).unwrap());
    assert_eq!(asked_for, ["mine", "urn:the:resource", "a b"]);
    let (ran, opened) = login(&machine, &["s", "--scope", "c", "--scope", "d"]);
    ran.ends(Exit::Ok);
    assert_eq!(parameter(&opened[0], "scope").as_deref(), Some("c d"));
    assert!(bodies(&fake, "/token").iter().all(|body| body.contains("resource=urn%3Athe%3Aresource")));
    machine.run(&CALL).ends(Exit::Ok);
}

#[test]
fn programs_are_told_the_same() {
    let fake = HttpFake::start("oauth --scope read");
    let machine = machine_of(&fake);
    let none = machine.json(&["mcp", "list"]);
    assert_eq!(
        (&none["servers"][0]["auth"], &none["servers"][0]["login"]),
        (&json!("oauth"), &json!("unknown"))
    );
    let told: Value = machine.json(&["mcp", "login", "s"]);
    assert_eq!(
        (&told["name"], &told["login"], &told["renews"]),
        (&json!("s"), &json!("logged_in"), &json!(true))
    );
    assert_eq!((&told["url"], &told["scopes"]), (&json!(fake.url()), &json!(["read"])));
    assert_eq!(told["expires_at"], "2027-01-15T09:00:00.000Z");
    let got = machine.json(&["mcp", "get", "s"]);
    assert_eq!((&got["login"]["state"], &got["login"]["issuer"]), (&json!("logged_in"), &told["issuer"]));
    let told = machine.json(&["mcp", "logout", "s"]);
    assert_eq!((&told["was_logged_in"], &told["revocation"]), (&json!(true), &json!("not_asked")));
    let told = machine.json(&["mcp", "call", "s", "echo", "text=x"]);
    assert_eq!(told["error"]["class"], "needs_login");
    assert_eq!(told["error"]["message"], "OAuth authentication required: run codewhale mcp login s");
}

#[test]
fn a_server_without_a_name_is_logged_in_to_by_its_url() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let url = fake.url();
    let call = ["mcp", "call", "--url", &url, "echo", "text=hello"];
    machine.run(&call).ends(Exit::LoginNeeded).says("run codewhale mcp login --url …");
    login(&machine, &["--url", &url]).0.ends(Exit::Ok);
    machine.run(&call).ends(Exit::Ok).prints("hello\n");
    machine.run(&CALL).ends(Exit::LoginNeeded);
    machine.run(&["mcp", "logout", "--url", &url]).ends(Exit::Ok);
    machine.run(&call).ends(Exit::LoginNeeded);
}
