//! Lines that no server should send.

use std::time::Duration;

use codewhale_mcp_session::Budget;
use proptest::prelude::*;

use crate::drive::Drive;

#[test]
fn lines_that_are_no_messages_are_dropped() {
    let lines = [
        "Server listening on stdio",
        "[INFO] started",
        "\u{1b}[32mready\u{1b}[0m",
        "{}",
        "[]",
        "{",
        "null",
        "42",
        r#"{"level":"info","message":"hi"}"#,
        r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":{},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"x","result":{}}"#,
    ];
    for revision in ["2025-03-26", "2026-07-28"] {
        let mut drive = Drive::ready(revision);
        for line in lines {
            assert!(drive.say(line).starts_with("ignored: "), "{line}");
        }
        assert!(drive.sent.is_empty(), "no answer to what cannot be read");
    }
}

/// Lines that are nearly messages.
fn near_message() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        Just("1".to_owned()),
        Just("8193".to_owned()),
        Just("16385".to_owned()),
        Just("\"16385\"".to_owned()),
        Just("null".to_owned()),
        any::<i64>().prop_map(|id| id.to_string()),
    ];
    let member = prop_oneof![
        Just(r#""jsonrpc":"2.0""#.to_owned()),
        id.prop_map(|id| format!(r#""id":{id}"#)),
        Just(r#""result":{"supportedVersions":["2026-07-28"],"protocolVersion":"2025-06-18"}"#.to_owned()),
        Just(r#""error":{"code":-32022,"message":"m","data":{"supported":["2025-06-18"]}}"#.to_owned()),
        Just(r#""method":"notifications/progress","params":{"progressToken":16385,"progress":1}"#.to_owned()),
        Just(r#""method":"ping""#.to_owned()),
        "[\\PC]{0,12}",
    ];
    prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",")))
}

proptest! {
    #[test]
    fn no_order_of_lines_and_time_breaks_the_machine(
        steps in prop::collection::vec((near_message(), 0.0..4.0_f64), 0..40),
        started in prop::sample::select(vec!["", "2025-06-18", "2026-07-28"]),
    ) {
        let mut drive = if started.is_empty() {
            let mut drive = Drive::new(codewhale_mcp_session::Settings::default());
            drive.open();
            drive
        } else {
            Drive::ready(started)
        };
        for (line, pause) in steps {
            if drive.session.pen().is_some() {
                let budget = Budget { total: Duration::from_secs(5), idle: Some(Duration::from_secs(2)) };
                let _ = drive.session.reserve(drive.now, budget);
            }
            drive.say(&line);
            drive.wait(pause);
            prop_assert!(drive.session.in_flight() <= 40);
        }
        // The probe first, then the handshake that follows it.
        drive.wait(1000.0);
        drive.wait(1000.0);
        prop_assert_eq!(drive.session.in_flight(), 0, "every request ends");
    }
}
