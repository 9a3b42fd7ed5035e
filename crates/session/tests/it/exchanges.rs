//! What a request leaves behind where messages are exchanges: cancellations, and notes of its own exchange.

use std::time::Duration;

use codewhale_mcp_session::{Binding, Budget, Settings, Ticket, Unanswered};

use crate::drive::Drive;

const STREAMABLE: Binding = Binding::Streamable { has_other_way: true };
const BUDGET: Budget = Budget { total: Duration::from_secs(5), idle: None };

fn reserve(drive: &mut Drive) -> Ticket {
    drive.session.reserve(drive.now, BUDGET).expect("there is room")
}

#[test]
fn a_request_is_cancelled_in_words_unless_the_end_of_its_exchange_says_so() {
    for (binding, revision, told) in [
        (Binding::Stream, "2026-07-28", 1),
        (Binding::Stream, "2025-06-18", 1),
        (STREAMABLE, "2026-07-28", 0),
        (STREAMABLE, "2025-06-18", 1),
        (Binding::EventStream, "2024-11-05", 1),
    ] {
        let mut drive = Drive::ready_by(binding, revision, Settings::default());
        let ticket = reserve(&mut drive);
        assert_eq!(drive.cancel(ticket), told, "{binding:?} {revision}");
        assert_eq!(drive.cancel(ticket), 0, "a server is told once");
        let other = reserve(&mut drive);
        assert_eq!(drive.wait(5.0), [format!("{} total", other.index())]);
        assert_eq!(drive.sent.len(), 2 * told, "{binding:?} {revision}");
        assert!(drive.methods().iter().all(|method| method == "notifications/cancelled"));
        assert_eq!(drive.session.in_flight(), 0);
        // What comes later belongs to nobody.
        for ticket in [ticket, other] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, ticket.id());
            assert!(drive.say(&line).starts_with("ignored: "), "{binding:?} {revision}");
        }
    }
}

#[test]
fn an_exchange_without_an_answer_ends_its_request_and_no_other() {
    let mut drive = Drive::ready_by(STREAMABLE, "2025-06-18", Settings::default());
    let (one, other) = (reserve(&mut drive), reserve(&mut drive));
    let found = Unanswered { status: 404, error: None, said: None };
    for _ in 0..2 {
        let mut out = Vec::new();
        assert!(drive.session.no_answer(drive.now, one, &found, &mut out).is_none());
        assert!(out.is_empty(), "nothing follows");
    }
    assert!(!drive.session.is_waiting(one));
    assert!(drive.session.is_waiting(other));
    let line = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, other.id());
    assert_eq!(drive.say(&line), format!("reply {} {{}}", other.index()));
}

#[test]
fn a_note_in_the_exchange_of_a_listen_request_is_of_its_stream_without_saying_so() {
    let mut drive = Drive::ready_by(STREAMABLE, "2026-07-28", Settings::default());
    let listening = drive.session.listen(drive.now).unwrap();
    let other = drive.session.listen(drive.now).unwrap();
    let call = reserve(&mut drive);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let plain = "notification notifications/tools/list_changed";
    let of = |ticket: Ticket| format!("{plain} of {}", ticket.index());
    assert_eq!(drive.say_in(Some(listening), note), of(listening));
    assert_eq!(drive.say_in(Some(call), note), plain, "a call has no stream");
    assert_eq!(drive.say(note), plain);
    let named = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{}}}}}}}"#,
        other.id()
    );
    assert_eq!(drive.say_in(Some(listening), &named), of(other), "what is said counts more");
    drive.session.release(listening);
    assert_eq!(drive.say_in(Some(listening), note), plain, "its stream is over");
    // The next request in the same place is another one.
    let next = drive.session.listen(drive.now).unwrap();
    assert_eq!(next.index(), listening.index());
    assert_eq!(drive.say_in(Some(listening), note), plain);
    assert_eq!(drive.say_in(Some(next), note), of(next));
}
