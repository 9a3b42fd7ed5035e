//! What a strict server finds wrong about its client, and what it lets pass.

use crate::play::{DISCOVER, OPEN, OPENED, Play};
use crate::talk::{EVERYTHING, Talk, text};
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn record() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("fake-strict-{}-{number}", std::process::id()))
}

fn violations(file: &PathBuf) -> Vec<String> {
    let found = codewhale_testkit::violations(file);
    std::fs::remove_file(file).unwrap();
    found
}

/// Says all lines and compares the violations, of which each must contain the expected text.
fn check(mode: &str, lines: &[&str], expected: &[&str]) {
    let file = record();
    let words = mode.split(' ').chain(["--record", file.to_str().unwrap()]);
    let mut play = Play::start_with(words.map(str::to_owned));
    lines.iter().for_each(|line| play.say(line));
    play.close_stdin();
    assert_eq!(play.exit(), Some(0));
    let found = violations(&file);
    assert_eq!(found.len(), expected.len(), "{lines:?}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{lines:?}: {found} is not {expected}");
    }
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{{params}}}}}"#)
}

#[test]
fn a_fault_of_the_legacy_era_is_found() {
    for (lines, expected) in [
        (vec![request("1", "tools/list", "")], "tools/list 1: initialize comes first"),
        (vec![OPEN.to_owned(), request("1", "tools/list", "")], "initialized comes first"),
        (vec![OPENED.to_owned()], "has not just been answered"),
        (vec![OPEN.replace("2025-11-25", "2026-07-28")], "initialize offers 2026-07-28"),
        (vec![OPEN.replace(r#""version":"1""#, r#""v":1"#)], "clientInfo"),
        (vec![OPEN.to_owned(), OPEN.replace(r#""id":0"#, r#""id":1"#)], "initialized already"),
        (vec![OPEN.to_owned(), notification("cancelled", r#""requestId":0"#)], "not to be cancelled"),
        (vec![DISCOVER.to_owned(), notification("cancelled", r#""requestId":"d""#)], "not to be cancelled"),
        (vec![request("1", "server/discover", "")], "_meta has no protocolVersion"),
        (vec![r#"[{"jsonrpc":"2.0"}]"#.to_owned()], "no JSON object"),
    ] {
        check("strict", &lines.iter().map(String::as_str).collect::<Vec<_>>(), &[expected]);
    }
    for (line, expected) in [
        (request("0", "ping", ""), "the id has been used"),
        (request("null", "ping", ""), "a string or an integer"),
        (request("1.5", "ping", ""), "a string or an integer"),
        (request("1", "x/y", ""), "unknown at this revision"),
        (request("1", "subscriptions/listen", ""), "unknown at this revision"),
        (request("1", "server/discover", META), "no place after initialize"),
        (request("1", "tools/list", META), "modern era"),
        (request("1", "tools/list", r#""cursor":null"#), "the cursor null"),
        (request("1", "tools/list", r#""cursor":"mine""#), "none of the server's"),
        (request("1", "tools/call", r#""arguments":{}"#), "name is no string"),
        (request("1", "tools/call", r#""name":"echo","arguments":null"#), "arguments is null"),
        (request("1", "tools/call", r#""name":"echo","inputResponses":{}"#), "no param of tools/call"),
        (request("1", "tools/call", r#""name":"echo","_meta":{"progressToken":1.5}"#), "progress token"),
        (request("1", "prompts/get", r#""name":"greet","arguments":{"name":1}"#), "the argument name is 1"),
        (request("1", "logging/setLevel", r#""level":"loud""#), "no level"),
        (request("1", "resources/subscribe", r#""uri":"x""#), "not declared /resources/subscribe"),
        (request("1", "completion/complete", ""), "not declared /completions"),
        (request("1", "tasks/list", ""), "not declared /tasks/list"),
        (notification("x", ""), "unknown at this revision"),
        (notification("cancelled", r#""requestId":77"#), "77 was never sent"),
        (notification("progress", r#""progressToken":1"#), "no progress token"),
        (notification("roots/list_changed", ""), "not declared"),
        (r#"{"jsonrpc":"2.0","id":5,"result":{}}"#.to_owned(), "nobody asked"),
        (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#.to_owned(), "not 2.0"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}"#.to_owned(), "params is []"),
        (r#"{"jsonrpc":"2.0"}"#.to_owned(), "a method or an id"),
    ] {
        check("strict", &[OPEN, OPENED, &line], &[expected]);
    }
}

#[test]
fn a_fault_of_the_modern_era_is_found() {
    for (line, expected) in [
        (request("1", "tools/list", ""), "no protocolVersion"),
        (request("1", "ping", META), "unknown at this revision"),
        (request("1", "tasks/list", META), "unknown at this revision"),
        (request("1", "initialize", ""), "said that it is modern"),
        (request("1", "resources/subscribe", META), "unknown at this revision"),
        (request("1", "completion/complete", META), "not declared /completions"),
        (request("1", "subscriptions/listen", META), "notifications is null"),
        (request("1", "tools/list", &format!(r#""requestState":"x",{META}"#)), "no param of tools/list"),
        (request("1", "tools/list", &META.replace(r#"":{}"#, r#"":[]"#)), "no clientCapabilities"),
        (r#"{"jsonrpc":"2.0","id":5,"result":{}}"#.to_owned(), "no place in the modern era"),
        (OPENED.to_owned(), "unknown at this revision"),
        (notification("roots/list_changed", ""), "unknown at this revision"),
    ] {
        check("strict --era modern", &[DISCOVER, &line], &[expected]);
    }
}

#[test]
fn ids_and_tokens_may_come_again_only_where_their_request_has_ended() {
    let call = |id: &str, token: &str, meta: &str| {
        let meta = meta.replace("{\"io.", &format!(r#"{{"progressToken":{token},"io."#));
        request(id, "tools/call", &format!(r#""name":"slow","arguments":{{"ms":60000}},{meta}"#))
    };
    let [first, again, token, other] =
        [("1", "5"), ("1", "6"), ("2", "5"), ("3", "7")].map(|(id, token)| call(id, token, META));
    check(
        "strict --era modern",
        &[&first, &again, &token, &other],
        &["the id has been used", "the progress token is in use"],
    );
    let stop = notification("cancelled", r#""requestId":1"#);
    check("strict --era modern", &[&first, &stop, &again], &[]);
    let list = request("1", "tools/list", META);
    check("strict --era modern", &[&list, &list], &[]);
}

#[test]
fn a_violation_is_answered_where_it_can_be() {
    let mut play = Play::start("strict");
    play.say(&request("1", "tools/list", ""));
    play.follow(r#"< "id":1,"error":{"code":-32600,"message":"initialize comes first""#);
    play.say(&notification("x", ""));
    play.open();
    play.say(&request("2", "tools/list", ""));
    play.follow("< \"id\":2,\"result\"\nend 0");
}

#[test]
fn bad_answers_to_questions_are_found_and_still_count() {
    let file = record();
    let mode = format!("strict+everything --record {}", file.display());
    let mut talk = Talk::start(&mode, "2025-11-25", EVERYTHING);
    let id = talk.send("tools/call", json!({"name": "ask_all"}));
    for result in [json!({"action": "yes"}), json!({"model": "m"}), json!({"roots": [{"uri": "/"}]})] {
        let asked = talk.hear();
        talk.respond(&asked["id"], &result);
    }
    assert_eq!(text(&talk.answer(&id)["result"]).lines().count(), 3);
    talk.play.follow("end 0");
    let found = violations(&file);
    for part in ["action", "role is missing", "file URI"] {
        assert!(
            found.iter().any(|one| one.starts_with("response") && one.contains(part)),
            "{part}: {found:?}"
        );
    }
}

#[test]
fn a_client_that_keeps_the_rules_has_none_broken() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let file = record();
        let mode = format!("strict+everything --page 4 --tasks optional --record {}", file.display());
        let mut talk = Talk::start(&mode, revision, EVERYTHING);
        let page = talk.request("tools/list", json!({}))["result"].take();
        talk.request("tools/list", json!({"cursor": page["nextCursor"]}));
        talk.call("echo", json!({"text": "x"}));
        talk.call("grow", json!({"what": "prompts"}));
        talk.request("prompts/get", json!({"name": "review", "arguments": {"text": "x"}}));
        talk.request("resources/read", json!({"uri": "multi://pair"}));
        let reference = json!({"type": "ref/prompt", "name": "review"});
        let argument = json!({"name": "style", "value": "f"});
        talk.request("completion/complete", json!({"ref": reference, "argument": argument}));
        if revision == "2025-11-25" {
            talk.request("logging/setLevel", json!({"level": "info"}));
            talk.request("resources/subscribe", json!({"uri": "text://greeting"}));
            talk.send("tools/call", json!({"name": "ping_odd"}));
            for _ in 0..6 {
                let ping = std::mem::take(&mut talk.hear()["id"]);
                talk.respond(&ping, &json!({}));
            }
            talk.hear();
        } else {
            talk.send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
            talk.hear();
        }
        talk.play.follow("end 0");
        assert_eq!(violations(&file), [""; 0], "{revision}");
    }
}
