//! Requests: ids, answers, deadlines, cancellation, what the server asks.

use std::collections::HashSet;
use std::time::Duration;

use codewhale_mcp_session::{Budget, EncodeError, Limits, More, Settings, Ticket};
use serde_json::{Value, json};

use crate::drive::Drive;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn reserve(drive: &mut Drive) -> Ticket {
    drive.session.reserve(drive.now, Budget::total(seconds(10))).expect("there is room")
}

fn write(drive: &Drive, ticket: Ticket, params: &impl serde::Serialize) -> Result<Value, EncodeError> {
    let mut frame = b"before".to_vec();
    drive.session.pen().expect("the handshake is over").request(
        ticket.id(),
        "tools/call",
        params,
        &mut frame,
    )?;
    assert_eq!(frame.iter().filter(|byte| **byte == b'\n').count(), 1);
    let frame = frame.strip_prefix(b"before").expect("what stood before is kept");
    Ok(serde_json::from_slice(frame).expect("a frame is JSON"))
}

#[test]
fn ids_never_come_back_and_stay_exact() {
    let mut drive = Drive::ready("2025-06-18");
    let mut seen = HashSet::new();
    for _ in 0..10_000 {
        let ticket = reserve(&mut drive);
        assert!(seen.insert(ticket.id()), "id {} came back", ticket.id());
        let line = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, ticket.id());
        assert_eq!(drive.say(&line), format!("reply {} {{}}", ticket.index()));
    }
    assert!(seen.into_iter().all(|id| id < 1 << 53));
}

#[test]
fn legacy_requests_carry_a_progress_token_and_modern_ones_the_revision_too() {
    for (revision, members) in [("2025-06-18", 1), ("2026-07-28", 4)] {
        let mut drive = Drive::ready(revision);
        let ticket = reserve(&mut drive);
        for params in [json!({"name": "x"}), json!({}), Value::Null] {
            let request = write(&drive, ticket, &params).unwrap();
            let meta = request["params"]["_meta"].as_object().unwrap();
            assert_eq!(meta["progressToken"], ticket.id());
            assert_eq!(meta.len(), members);
            assert_eq!(request["params"].get("name"), params.get("name"));
        }
    }
}

#[test]
fn params_are_objects_and_stay_on_one_line() {
    let mut drive = Drive::ready("2025-06-18");
    let ticket = reserve(&mut drive);
    for params in [json!([1]), json!(1), json!("x"), json!(true)] {
        assert!(matches!(write(&drive, ticket, &params), Err(EncodeError::NotAnObject)), "{params}");
    }
    for none in ["{ }", "{\n}"] {
        let none = codewhale_mcp_protocol::Json::from_text(none).unwrap();
        assert_eq!(
            write(&drive, ticket, &none).unwrap()["params"].as_object().unwrap().len(),
            1,
            "only _meta"
        );
    }
    let pretty = codewhale_mcp_protocol::Json::from_text("{\n  \"a\":\r\n 1e30\n}").unwrap();
    assert_eq!(write(&drive, ticket, &pretty).unwrap()["params"]["a"], 1e30);
}

#[test]
fn an_answer_is_found_by_its_id_in_any_member_order_and_as_the_same_number_in_a_string() {
    let check = |line: &str, expected: &str| {
        let mut drive = Drive::ready("2025-06-18");
        // The handshake used the same slot twice, so the first request has this id.
        assert_eq!(reserve(&mut drive).id(), 16385);
        assert_eq!(drive.say(line), expected, "{line}");
    };
    let ok = "reply 0 {\"a\":1}";
    check(r#"{"jsonrpc":"2.0","id":16385,"result":{"a":1}}"#, ok);
    check(r#"{"result":{"a":1},"jsonrpc":"2.0","id":16385}"#, ok);
    check(r#"{"id":16385,"result":{"a":1},"jsonrpc":"2.0"}"#, ok);
    check(r#" { "jsonrpc" : "2.0", "id" : 16385, "result" : {"a":1} } "#, ok);
    check(r#"{"jsonrpc":"2.0","id":16385,"result":{"a":1},"error":null,"extra":[]}"#, ok);
    check(r#"{"jsonrpc":"2.0","id":"16385","result":{"a":1}}"#, ok);
    let unknown = "ignored: an answer to no request of ours";
    for id in ["\"016385\"", "\" 16385\"", "\"16385.0\"", "-16385", "7", "18446744073709551616", "\"x\""] {
        check(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#), unknown);
    }
    check(
        r#"{"jsonrpc":"2.0","id":16385,"error":{"code":-32602,"message":"unknown tool"}}"#,
        "reply 0 unknown tool (code -32602)",
    );
    check(
        r#"{"jsonrpc":"2.0","id":16385,"result":{},"error":{"code":1,"message":"e"}}"#,
        "reply 0 a response has both a result and an error",
    );
    check(
        r#"{"id":16385,"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"e"}}"#,
        "broken 0 a response has both a result and an error",
    );
    check(r#"{"jsonrpc":"2.0","id":16385}"#, "broken 0 a response has neither a result nor an error");
    check(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#, "peer error");
    check(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#, "peer error");
}

#[test]
fn a_request_over_its_budget_is_cancelled_and_its_late_answer_dropped() {
    let mut drive = Drive::ready("2025-06-18");
    let ticket = reserve(&mut drive);
    assert!(drive.session.next_deadline() <= Some(seconds(10)));
    assert!(drive.wait(9.0).is_empty());
    assert_eq!(drive.wait(1.0), ["0 total"]);
    assert_eq!(drive.sent[0]["method"], "notifications/cancelled");
    assert_eq!(drive.sent[0]["params"]["requestId"], ticket.id());
    assert_eq!(drive.session.in_flight(), 0);

    let next = reserve(&mut drive);
    assert_ne!(next.index(), ticket.index(), "the slot is kept for the late answer");
    let late = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, ticket.id());
    assert_eq!(drive.say(&late), format!("ignored: a late answer to request {}", ticket.id()));
    assert_eq!(drive.say(&late), "ignored: an answer to no request of ours");
    assert_eq!(drive.sent.len(), 1, "one cancellation, and no second request");
}

#[test]
fn progress_ends_silence_but_not_the_budget() {
    let mut drive = Drive::ready("2025-06-18");
    let budget = Budget { total: seconds(5), idle: Some(seconds(2)) };
    let ticket = drive.session.reserve(drive.now, budget).unwrap();
    let progress = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{},"progress":1}}}}"#,
        ticket.id()
    );
    for _ in 0..3 {
        assert!(drive.wait(1.5).is_empty());
        assert_eq!(drive.say(&progress), "progress 0");
    }
    assert_eq!(drive.wait(0.5), ["0 total"]);
    assert_eq!(drive.say(&progress), "ignored: progress of no request of ours");

    let quiet = drive.session.reserve(drive.now, budget).unwrap();
    assert_eq!(drive.wait(2.0), [format!("{} idle", quiet.index())]);
}

#[test]
fn progress_names_its_token() {
    let mut drive = Drive::ready("2025-06-18");
    let id = reserve(&mut drive).id();
    for params in [format!("[{id}]"), format!("{{\"token\":{id}}}"), id.to_string()] {
        let line = format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#);
        assert_eq!(drive.say(&line), "ignored: progress of no request of ours", "{params}");
    }
}

#[test]
fn progress_of_the_handshake_is_nobody_elses() {
    let mut drive = Drive::new(Settings::default());
    drive.open();
    let progress = |id: &Value| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":1}}}}"#
        )
    };
    for _ in ["server/discover", "initialize"] {
        let id = drive.sent.last().unwrap()["id"].clone();
        assert_eq!(drive.say(&progress(&id)), "handled");
        assert!(drive.wait(5.0).is_empty(), "the probe's time runs all the same");
    }
    assert_eq!(drive.methods(), ["server/discover", "initialize"]);
}

#[test]
fn every_deadline_is_met_whatever_the_order_of_requests() {
    let mut drive = Drive::ready("2025-06-18");
    for budget in [7, 3, 9, 1, 5] {
        drive.session.reserve(drive.now, Budget::total(seconds(budget))).unwrap();
    }
    let mut expired = Vec::new();
    while let Some(deadline) = drive.session.next_deadline() {
        let more = drive.wait((deadline - drive.now).as_secs_f64());
        expired.extend(more.into_iter().map(|_| drive.now.as_secs()));
    }
    assert_eq!(expired, [1, 3, 5, 7, 9]);
}

#[test]
fn a_closed_link_takes_with_it_all_that_waits() {
    let mut ready = Drive::ready("2025-06-18");
    let ticket = reserve(&mut ready);
    let mut probing = Drive::new(Settings::default());
    probing.open();
    probing.sent.clear();
    for mut drive in [ready, probing] {
        drive.close();
        assert_eq!(drive.session.in_flight(), 0);
        assert_eq!(drive.session.next_deadline(), None);
        assert!(drive.wait(1000.0).is_empty(), "it failed when the link closed, and does not end again");
        drive.session.cancel(ticket, "no longer needed", &mut Vec::new());
        assert!(drive.sent.is_empty(), "nothing is written to a closed link");
    }
}

#[test]
fn there_is_a_most_of_requests_in_flight_and_of_tombstones() {
    let limits = Limits { in_flight: 3, tombstones: 2, ..Limits::default() };
    let mut drive = Drive::new(Settings { limits, ..Settings::default() });
    drive.open();
    drive.answer(&json!({"result": {"supportedVersions": ["2026-07-28"]}}));
    let tickets: Vec<_> = (0..3).map(|_| reserve(&mut drive)).collect();
    assert!(drive.session.reserve(drive.now, Budget::total(seconds(1))).is_err());
    for ticket in &tickets {
        drive.session.cancel(*ticket, "no longer needed", &mut Vec::new());
    }
    let answer = |ticket: &Ticket| format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, ticket.id());
    let oldest = drive.say(&answer(&tickets[0]));
    assert_eq!(oldest, "ignored: an answer to no request of ours", "only two tombstones are kept");
    assert!(drive.say(&answer(&tickets[2])).contains("late answer"));
}

#[test]
fn a_legacy_server_is_answered_and_a_modern_one_is_not() {
    let ping = r#"{"jsonrpc":"2.0","id":"p-1","method":"ping"}"#;
    let roots = r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"roots/list"}"#;

    let mut legacy = Drive::ready("2025-06-18");
    assert_eq!(legacy.say(ping), "handled");
    assert_eq!(legacy.say(roots), "handled");
    assert_eq!(legacy.sent[0], json!({"jsonrpc": "2.0", "id": "p-1", "result": {}}));
    assert_eq!(legacy.sent[1]["id"], json!(9_007_199_254_740_993_u64));
    assert_eq!(legacy.sent[1]["error"]["code"], -32601);

    let mut modern = Drive::ready("2026-07-28");
    assert_eq!(modern.say(ping), "ignored: a request from a modern server");
    assert!(modern.sent.is_empty());

    let mut early = Drive::new(Settings::default());
    early.open();
    early.say(ping);
    assert_eq!(early.sent[1], json!({"jsonrpc": "2.0", "id": "p-1", "result": {}}));
}

#[test]
fn notifications_that_are_not_known_pass_through() {
    let mut drive = Drive::new(Settings::default());
    drive.open();
    let early = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    assert_eq!(drive.say(early), "notification notifications/tools/list_changed");
    let mut drive = Drive::ready("2025-06-18");
    assert_eq!(drive.say(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#), "notification notifications/x");
}

#[test]
fn more_members_stand_beside_those_of_the_params() {
    let check = |revision: &str, more: More<'_>, params: &Value, expected: &Value| {
        let mut drive = Drive::ready(revision);
        let ticket = reserve(&mut drive);
        let mut frame = Vec::new();
        let pen = drive.session.pen().unwrap();
        pen.request_with(ticket.id(), "tools/call", params, more, &mut frame).unwrap();
        let mut request: Value = serde_json::from_slice(&frame).unwrap();
        let meta = request["params"]["_meta"].as_object_mut().unwrap();
        meta.retain(|name, _| !name.starts_with("io.modelcontextprotocol") && name != "progressToken");
        assert_eq!(request["params"], *expected, "{revision}");
    };
    for revision in ["2025-06-18", "2026-07-28"] {
        let meta = More { meta: Some(r#""a":1,"b":2"#), params: None };
        check(revision, meta, &json!({"x": 1}), &json!({"_meta": {"a": 1, "b": 2}, "x": 1}));
        check(revision, meta, &json!({}), &json!({"_meta": {"a": 1, "b": 2}}));
        let both = More { meta: Some(r#""a":1"#), params: Some(r#""requestState":"s""#) };
        check(revision, both, &json!({"x": 1}), &json!({"_meta": {"a": 1}, "requestState": "s", "x": 1}));
        check(revision, both, &Value::Null, &json!({"_meta": {"a": 1}, "requestState": "s"}));
        let params = More { meta: None, params: Some(r#""y":2"#) };
        check(revision, params, &json!({"x": 1}), &json!({"_meta": {}, "x": 1, "y": 2}));
    }
}

#[test]
fn a_modern_request_names_the_revision_that_was_selected_again_and_the_log_level() {
    let mut drive = Drive::ready("2026-07-28");
    assert_eq!(drive.session.reselect(&["2024-11-05".into()]), None, "a legacy revision is of no use here");
    let again = drive.session.reselect(&["2026-07-28".into(), "2099-01-01".into()]);
    assert_eq!(again.map(|revision| revision.as_str()), Some("2026-07-28"));
    let ticket = reserve(&mut drive);
    let meta = |drive: &Drive| write(drive, ticket, &json!({})).unwrap()["params"]["_meta"].clone();
    assert_eq!(meta(&drive).get("io.modelcontextprotocol/logLevel"), None);
    assert!(drive.session.want_log_messages(Some("warning")));
    assert_eq!(meta(&drive)["io.modelcontextprotocol/logLevel"], "warning");
    drive.session.reselect(&["2026-07-28".into()]);
    assert_eq!(meta(&drive)["io.modelcontextprotocol/logLevel"], "warning");
    assert!(drive.session.want_log_messages(None));
    assert_eq!(meta(&drive).get("io.modelcontextprotocol/logLevel"), None);
    let mut legacy = Drive::ready("2025-06-18");
    assert!(!legacy.session.want_log_messages(Some("info")), "it has a request for that");
    assert_eq!(legacy.session.reselect(&["2025-06-18".into()]), None);
}
