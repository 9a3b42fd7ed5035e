//! What each era of the fake answers to each opening.

use crate::play::{DISCOVER, OPEN, Play};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn check(arguments: &str, said: &str, parts: &[&str]) {
    let mut play = Play::start(arguments);
    play.say(said);
    let line = play.hear();
    for part in parts {
        assert!(line.contains(part), "{arguments}: no {part} in {line}");
    }
}

#[test]
fn a_probe_is_known_in_the_modern_eras_alone() {
    check("plain", DISCOVER, &[r#""id":"d","error":{"code":-32601"#]);
    for era in ["modern", "dual"] {
        let parts = [
            r#""supportedVersions":["2026-07-28"]"#,
            r#""resultType":"complete""#,
            r#""ttlMs":60000,"cacheScope":"public""#,
            r#""io.modelcontextprotocol/serverInfo":{"name":"fake""#,
        ];
        check(&format!("plain --era {era}"), DISCOVER, &parts);
    }
}

#[test]
fn initialize_is_unknown_to_the_modern_era_which_names_its_versions() {
    check("plain --era modern", OPEN, &[r#""code":-32601"#, r#""supported":["2026-07-28"]"#]);
    check("plain --era dual", OPEN, &[r#""protocolVersion":"2025-11-25""#]);
}

#[test]
fn initialize_answers_the_version_asked_for_or_the_one_fixed() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let answer = format!(r#""protocolVersion":"{version}""#);
        check("plain", &OPEN.replace("2025-11-25", version), &[&answer]);
        check(&format!("plain --version {version}"), OPEN, &[&answer]);
    }
    check("plain", &OPEN.replace("2025-11-25", "2026-07-28"), &[r#""protocolVersion":"2025-11-25""#]);
}

#[test]
fn a_modern_request_needs_its_meta() {
    let list =
        |meta: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{meta}}}}}"#);
    check("plain --era modern", &list(""), &[r#""code":-32602"#, "protocolVersion"]);
    let no_capabilities = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    check("plain --era modern", &list(no_capabilities), &[r#""code":-32602"#, "clientCapabilities"]);
    let unknown = META.replace("2026-07-28", "2027-01-01");
    let refused = [r#""code":-32022"#, r#""supported":["2026-07-28"],"requested":"2027-01-01""#];
    check("plain --era modern", &list(&unknown), &refused);
    check("plain --era modern --ttl 5", &list(META), &[r#""ttlMs":5"#, r#""tools":["#]);
    check("plain --era dual", &list(META), &[r#""resultType":"complete""#]);
    check("plain --era dual", &list(""), &["initialize first"]);
}

#[test]
fn modern_calls_carry_their_result_type_once() {
    let call = |name: &str, arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},{META}}}}}"#
        )
    };
    for (name, arguments) in [("echo", r#"{"text":"x"}"#), ("slow", r#"{"ms":1}"#)] {
        let mut play = Play::start("plain --era modern");
        play.say(&call(name, arguments));
        let line = play.hear();
        assert_eq!(line.matches("resultType").count(), 1, "{line}");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["result"]["content"][0]["type"], "text");
    }
}

#[test]
fn a_subscription_is_acknowledged_and_told_of_changes_until_it_is_cancelled() {
    let mut play = Play::start("list-changed --era modern --again --when call");
    play.say(&format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{META}}}}}"#
    ));
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{{"name":"image",{META}}}}}"#);
    play.say(&call);
    play.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
    play.say(&call);
    play.follow(
        r#"< subscriptions/acknowledged … "toolsListChanged":true … "io.modelcontextprotocol/subscriptionId":7
        < tools/list_changed … subscriptionId":7
        < "id":8
        < "id":8
        end 0"#,
    );
}
