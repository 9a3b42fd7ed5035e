//! A session that the server has forgotten: a further `initialize`, and what becomes of it.

use std::time::Duration;

use codewhale_mcp_protocol::InitializeResult;
use codewhale_mcp_session::{Binding, Budget, Limits, Settings, Ticket};
use serde_json::{Value, json};

use crate::drive::Drive;

const STREAMABLE: Binding = Binding::Streamable { has_other_way: true };

fn legacy() -> Drive {
    Drive::ready_by(STREAMABLE, "2025-06-18", Settings::default())
}

fn renew(drive: &mut Drive) -> Ticket {
    let mut out = Vec::new();
    let ticket = drive.session.renew(drive.now, &mut out).expect("there is room");
    drive.keep(&out);
    ticket
}

fn result(version: &str) -> InitializeResult {
    serde_json::from_value(
        json!({"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "n", "version": "v"}}),
    )
    .expect("a result")
}

fn revision(drive: &Drive) -> String {
    drive.session.pen().and_then(|pen| pen.revision()).expect("a revision").to_string()
}

#[test]
fn a_new_session_is_asked_for_in_the_revision_of_the_old_one_and_may_have_another() {
    let mut drive = legacy();
    let waiting = drive.session.reserve(drive.now, Budget::total(Duration::from_secs(100))).unwrap();
    let ticket = renew(&mut drive);
    let Value::Object(asked) = &drive.sent[0] else { panic!("a message") };
    assert_eq!(asked["method"], "initialize");
    assert_eq!(asked["params"]["protocolVersion"], "2025-06-18");
    assert_eq!(asked["params"].get("_meta"), None);
    assert_eq!(asked["id"], ticket.id());
    let line = json!({"jsonrpc": "2.0", "id": ticket.id(), "result": {}}).to_string();
    assert_eq!(drive.say(&line), format!("reply {} {{}}", ticket.index()), "its answer is its owner's");
    assert!(drive.session.is_waiting(waiting), "what waits goes on waiting");
    drive.session.renewed(result("2025-03-26")).expect("a legacy revision");
    assert_eq!(revision(&drive), "2025-03-26");
}

#[test]
fn an_answer_without_a_legacy_revision_renews_nothing() {
    for (version, error) in [
        ("2099-01-01", "the server speaks 2099-01-01, none of which we speak"),
        (
            "2026-07-28",
            "the server's answer to initialize cannot be used: 2026-07-28 is not a revision with a handshake",
        ),
    ] {
        let mut drive = legacy();
        renew(&mut drive);
        assert_eq!(drive.session.renewed(result(version)).expect_err("no").to_string(), error);
        assert_eq!(revision(&drive), "2025-06-18");
    }
}

#[test]
fn a_further_initialize_is_never_cancelled_in_words() {
    let mut drive = legacy();
    let given_up = renew(&mut drive);
    assert_eq!(drive.cancel(given_up), 0);
    let silent = renew(&mut drive);
    assert_eq!(drive.wait(120.0), [format!("{} total", silent.index())]);
    assert_eq!(drive.methods(), ["initialize", "initialize"]);
    assert_eq!(drive.session.in_flight(), 0);
    for ticket in [given_up, silent] {
        let line = json!({"jsonrpc": "2.0", "id": ticket.id(), "result": {}}).to_string();
        assert_eq!(drive.say(&line), format!("ignored: a late answer to request {}", ticket.id()));
    }
    let request = drive.session.reserve(drive.now, Budget::total(Duration::from_secs(1))).unwrap();
    assert_eq!(drive.cancel(request), 1, "other requests are");
}

#[test]
fn there_is_no_renewal_without_room() {
    let limits = Limits { in_flight: 1, ..Limits::default() };
    let mut drive = Drive::ready_by(STREAMABLE, "2025-06-18", Settings { limits, ..Settings::default() });
    let ticket = drive.session.reserve(drive.now, Budget::total(Duration::from_secs(1))).unwrap();
    let mut out = Vec::new();
    assert!(drive.session.renew(drive.now, &mut out).is_err());
    assert!(out.is_empty());
    drive.session.release(ticket);
    renew(&mut drive);
}
