//! Requests of servers are answered under the id that they came with, whatever it looks like.

use serde_json::value::RawValue;

use crate::drive::Drive;

#[test]
fn a_request_of_a_server_is_answered_under_its_id_to_the_letter() {
    for id in ["1", "\"1\"", "\"\"", "\"a-b\"", "-5", "9007199254740993", "0", "\"0\""] {
        for (method, member) in [("ping", "result"), ("x/unknown", "error")] {
            let mut drive = Drive::ready("2025-11-25");
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
            let mut out = Vec::new();
            drive.session.receive(drive.now, line.as_bytes(), &mut out);
            #[derive(serde::Deserialize)]
            struct Answer<'a> {
                #[serde(borrow)]
                id: &'a RawValue,
            }
            let text = String::from_utf8(out).unwrap();
            let answer: Answer<'_> = serde_json::from_str(&text).unwrap();
            assert_eq!(answer.id.get(), id, "{text}");
            assert!(text.contains(&format!("\"{member}\":")), "{text}");
        }
    }
}

#[test]
fn what_a_server_tells_or_asks_that_nobody_knows_ends_nothing() {
    let mut drive = Drive::ready("2025-06-18");
    for method in ["notifications/stderr", "notifications/x", "foo", "notifications/tools/list_changed"] {
        let line = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
        assert_eq!(drive.say(&line), format!("notification {method}"));
    }
    assert!(drive.sent.is_empty(), "a notification gets no answer");
    drive.say(r#"{"jsonrpc":"2.0","id":"q","method":"foo/bar"}"#);
    assert_eq!((&drive.sent[0]["id"], &drive.sent[0]["error"]["code"]), (&"q".into(), &(-32601).into()));
}
