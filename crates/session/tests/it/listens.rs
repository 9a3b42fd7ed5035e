//! Streams of notifications that a modern server was asked for.

use crate::drive::Drive;

fn changed(subscription: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{subscription}}}}}}}"#
    )
}

fn cancelled(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
}

#[test]
fn a_notification_is_routed_by_its_subscription() {
    let mut drive = Drive::ready("2026-07-28");
    let one = drive.session.listen(drive.now).unwrap();
    let other = drive.session.listen(drive.now).unwrap();
    let plain = "notification notifications/tools/list_changed";
    for ticket in [one, other] {
        assert_eq!(drive.say(&changed(&ticket.id().to_string())), format!("{plain} of {}", ticket.index()));
    }
    assert_eq!(drive.say(&changed("\"x\"")), plain);
    assert_eq!(drive.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#), plain);
    for meta in [format!("[{}]", one.id()), "null".into()] {
        let params = format!(r#"{{"_meta":{meta}}}"#);
        let line =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{params}}}"#);
        assert_eq!(drive.say(&line), plain, "members have names");
    }
    let request = drive
        .session
        .reserve(drive.now, codewhale_mcp_session::Budget::total(std::time::Duration::MAX))
        .unwrap();
    assert_eq!(drive.say(&changed(&request.id().to_string())), plain, "only a listen request has a stream");
}

#[test]
fn a_listen_request_has_no_deadline_and_ends_by_its_answer_or_by_the_server() {
    let mut drive = Drive::ready("2026-07-28");
    let one = drive.session.listen(drive.now).unwrap();
    let other = drive.session.listen(drive.now).unwrap();
    assert!(drive.wait(1e9).is_empty());
    assert_eq!(drive.say(&cancelled(&other.id().to_string())), format!("listen {} ended", other.index()));
    assert_eq!(
        drive.say(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, other.id())),
        "ignored: an answer to no request of ours",
        "both pages of the specification may be followed"
    );
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"resultType":"complete"}}}}"#, one.id());
    assert_eq!(drive.say(&answer), format!("reply {} {{\"resultType\":\"complete\"}}", one.index()));
    assert_eq!(drive.session.in_flight(), 0);
}

#[test]
fn a_modern_server_cannot_cancel_any_other_request() {
    let mut drive = Drive::ready("2026-07-28");
    let budget = codewhale_mcp_session::Budget::total(std::time::Duration::from_secs(1));
    let request = drive.session.reserve(drive.now, budget).unwrap();
    let ignored = "ignored: a cancellation of no open request";
    assert_eq!(drive.say(&cancelled(&request.id().to_string())), ignored);
    assert_eq!(drive.session.in_flight(), 1);
}
