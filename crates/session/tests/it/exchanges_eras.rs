//! The era matrix where messages are exchanges: what each status and each body leads to.

use codewhale_mcp_protocol::{Era, ErrorObject, Json};
use codewhale_mcp_session::{Binding, EraChoice, Memory, Settings, Unanswered};
use serde_json::{Value, json};

use crate::drive::Drive;

/// What comes back.
#[derive(Clone)]
enum Does {
    /// A success with this answer.
    Answers(Value),
    /// A status, and perhaps an error or something else in the body.
    Turns(u16, Option<ErrorObject>, Option<&'static str>),
    IsSilent(f64),
    /// The other way is open.
    Opens,
    /// It is not.
    StaysShut(&'static str),
}
use Does::{Answers, IsSilent, Opens, StaysShut, Turns};

const D: &str = "server/discover";
const I: &str = "initialize";
const READY: &str = "notifications/initialized";
const ONE_WAY: Binding = Binding::Streamable { has_other_way: false };
const TWO_WAYS: Binding = Binding::Streamable { has_other_way: true };

fn object(code: i64, data: Option<Value>) -> ErrorObject {
    let data = data.map(|data| Json::encode(&data).expect("a JSON form"));
    ErrorObject { code, message: "no".into(), data, ..ErrorObject::default() }
}

fn empty(status: u16) -> Does {
    Turns(status, None, None)
}

fn html(status: u16) -> Does {
    Turns(status, None, Some("<html>"))
}

fn error(status: u16, code: i64) -> Does {
    Turns(status, Some(object(code, None)), None)
}

fn unsupported(status: u16, supported: &[&str]) -> Does {
    Turns(status, Some(object(-32022, Some(json!({"supported": supported})))), None)
}

fn discovered(versions: &[&str]) -> Does {
    Answers(json!({"result": {"supportedVersions": versions, "resultType": "complete"}}))
}

fn initialized(version: &str) -> Does {
    Answers(json!({"result": {"protocolVersion": version, "capabilities": {}}}))
}

/// Who connects: the era that was chosen, what is remembered, the ways there are.
#[derive(Clone, Copy)]
struct Start(EraChoice, Memory, Binding);

const AUTO: Start = Start(EraChoice::Auto, Memory { era: None, event_stream: false }, ONE_WAY);

impl Start {
    fn with(self, binding: Binding) -> Self {
        Self(self.0, self.1, binding)
    }

    fn knowing(self, era: Era) -> Self {
        Self(self.0, Memory { era: Some(era), ..self.1 }, self.2)
    }

    fn choosing(self, era: EraChoice) -> Self {
        Self(era, self.1, self.2)
    }

    /// Runs a script to its verdict; the last word of a failure is enough.
    fn check(self, script: &[Does], methods: &[&str], verdict: &str) -> Drive {
        let Self(era, memory, binding) = self;
        let mut drive = Drive::new(Settings { era, memory, ..Settings::default() });
        drive.open_by(binding);
        for step in script {
            match step.clone() {
                Answers(members) => drive.answer(&members),
                Turns(status, error, said) => {
                    drive.no_answer(&Unanswered { status, error, said: said.map(str::to_owned) });
                }
                IsSilent(seconds) => assert!(drive.wait(seconds).is_empty()),
                Opens => {
                    assert_eq!(drive.verdict.take().as_deref(), Some("reopen"));
                    assert!(drive.session.memory().event_stream, "the other way is asked for");
                    drive.open_by(Binding::EventStream);
                }
                StaysShut(why) => {
                    assert_eq!(drive.verdict.take().as_deref(), Some("reopen"));
                    let error = drive.session.other_way_closed(why.into()).expect("something was tried");
                    assert!(!drive.session.memory().event_stream, "and is not remembered");
                    drive.verdict = Some(format!("failed: {error}"));
                }
            }
        }
        assert_eq!(drive.methods(), methods, "for the verdict {verdict}");
        assert_eq!(drive.verdict.as_deref(), Some(verdict));
        drive
    }
}

#[test]
fn a_modern_error_proves_a_modern_server_whatever_its_status() {
    for status in [400, 404, 405, 409, 422, 500, 503] {
        AUTO.check(
            &[unsupported(status, &["2026-07-28"]), discovered(&["2026-07-28"])],
            &[D, D],
            "ready 2026-07-28",
        );
        for code in [-32020, -32021] {
            let refused = format!("failed: the server refused server/discover: no (code {code})");
            AUTO.check(&[error(status, code)], &[D], &refused);
        }
        // It is asked once more and not twice, and a legacy handshake follows only where nothing else is in common.
        let again = unsupported(status, &["2026-07-28"]);
        AUTO.check(
            &[again.clone(), again],
            &[D, D],
            "failed: the server refused server/discover: no (code -32022)",
        );
        AUTO.check(
            &[unsupported(status, &["2099-01-01"])],
            &[D],
            "failed: the server speaks 2099-01-01, none of which we speak",
        );
        AUTO.check(
            &[unsupported(status, &["2025-06-18"]), initialized("2025-06-18")],
            &[D, I, READY],
            "ready 2025-06-18",
        );
    }
}

#[test]
fn a_refusal_of_a_message_that_nobody_there_knows_means_a_legacy_server() {
    let legacy = |first: Does| {
        let drive = AUTO.check(&[first, initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
        assert_eq!(drive.session.memory(), Memory { era: Some(Era::Legacy), event_stream: false });
    };
    for status in [400, 404, 405, 406] {
        legacy(empty(status));
        legacy(html(status));
        for code in [-32601, -32602, -32600, -32603, -32700, -32000, -32001, 0] {
            legacy(error(status, code));
        }
    }
    // An answer that is none, with a status of success.
    for status in [200, 202, 204] {
        legacy(empty(status));
    }
    legacy(html(200));
    for members in [
        json!({"error": {"code": -32601, "message": "no"}}),
        json!({"error": {"code": -32602, "message": "no"}}),
        json!({"result": {}}),
        json!({"result": {"tools": []}}),
        json!({"result": {"supportedVersions": []}}),
    ] {
        legacy(Answers(members));
    }
    // A failure in the words of the protocol.
    legacy(error(500, -32603));
}

#[test]
fn what_says_nothing_of_eras_ends_the_handshake_and_is_not_remembered() {
    for status in [301, 401, 402, 403, 407, 408, 409, 425, 429, 500, 502, 503, 504] {
        let turned_down =
            format!("failed: the server turned down POST server/discover: status {status}: <html>");
        let drive = AUTO.check(&[html(status)], &[D], &turned_down);
        assert_eq!(drive.session.memory(), Memory::default());
        let turned_down = format!("failed: the server turned down POST server/discover: status {status}");
        AUTO.with(TWO_WAYS).check(&[empty(status)], &[D], &turned_down);
    }
    for status in [401, 403, 408, 429] {
        let turned_down =
            format!("failed: the server turned down POST server/discover: status {status}: no (code -32000)");
        AUTO.check(&[error(status, -32000)], &[D], &turned_down);
    }
}

#[test]
fn silence_is_no_sign_of_a_legacy_server() {
    for start in [AUTO, AUTO.with(TWO_WAYS), AUTO.knowing(Era::Modern)] {
        start.check(&[IsSilent(119.9), discovered(&["2026-07-28"])], &[D], "ready 2026-07-28");
        let drive = start.check(
            &[IsSilent(120.0)],
            &[D],
            "failed: the server did not answer server/discover within 120 s",
        );
        assert_eq!(drive.session.memory(), start.1, "nothing was learnt");
    }
    // Nor is it after something else was found out.
    AUTO.check(
        &[unsupported(400, &["2026-07-28"]), IsSilent(120.0)],
        &[D, D],
        "failed: the server did not answer server/discover within 120 s",
    );
    AUTO.knowing(Era::Legacy).check(
        &[unsupported(400, &["2026-07-28"]), IsSilent(6.0), discovered(&["2026-07-28"])],
        &[I, D],
        "ready 2026-07-28",
    );
    AUTO.check(
        &[empty(404), IsSilent(120.0)],
        &[D, I],
        "failed: the server did not answer initialize within 120 s",
    );
}

#[test]
fn initialize_that_is_turned_down_leads_to_the_other_way_if_there_is_one() {
    for (status, said) in [(400, ""), (404, ""), (405, ": <html>"), (400, ": no (code -32000)")] {
        let turned = match said {
            "" => empty(status),
            ": <html>" => html(status),
            _ => error(status, -32000),
        };
        let script = |last: Does| [turned.clone(), turned.clone(), Opens, last];
        let two = AUTO.with(TWO_WAYS);
        let drive = two.check(&script(initialized("2024-11-05")), &[D, I, I, READY], "ready 2024-11-05");
        assert_eq!(drive.session.memory(), Memory { era: Some(Era::Legacy), event_stream: true });
        // A failure names every attempt in order.
        let both =
            format!("POST server/discover: status {status}{said}; POST initialize: status {status}{said}");
        two.check(
            &[turned.clone(), turned.clone(), StaysShut("status 500 with JSON")],
            &[D, I],
            &format!("failed: the server turned down {both}; GET of an event stream (HTTP+SSE): status 500 with JSON"),
        );
        two.check(
            &script(empty(404)),
            &[D, I, I],
            &format!("failed: the server turned down {both}; POST initialize: status 404"),
        );
        let refused = Answers(json!({"error": {"code": -32603, "message": "no"}}));
        let over_events = "GET of an event stream (HTTP+SSE)";
        for (last, words) in [
            (refused, "the server refused initialize: no (code -32603)"),
            (IsSilent(120.0), "the server did not answer initialize within 120 s"),
        ] {
            let failed = format!("failed: the server turned down {both}; {over_events}: {words}");
            two.check(&script(last), &[D, I, I], &failed);
        }
        AUTO.check(
            &[turned.clone(), turned.clone()],
            &[D, I],
            &format!("failed: the server turned down {both}"),
        );
    }
    // Anything else is no reason to try it.
    for status in [200, 202, 401, 403, 406, 408, 410, 429, 500, 503] {
        let drive = AUTO.with(TWO_WAYS).choosing(EraChoice::Legacy).check(
            &[html(status)],
            &[I],
            &format!("failed: the server turned down POST initialize: status {status}: <html>"),
        );
        assert!(!drive.session.memory().event_stream);
    }
}

#[test]
fn the_end_of_the_event_stream_is_told_with_what_led_there() {
    let mut drive = Drive::new(Settings::default());
    drive.open_by(TWO_WAYS);
    for _ in 0..2 {
        drive.no_answer(&Unanswered { status: 405, error: None, said: None });
    }
    drive.open_by(Binding::EventStream);
    drive.close();
    let said = drive.verdict.expect("a verdict");
    assert_eq!(
        said,
        "failed: the server turned down POST server/discover: status 405; POST initialize: status 405; GET of an \
         event stream (HTTP+SSE): the server closed the connection before it answered initialize"
    );
}

#[test]
fn a_modern_server_is_not_looked_for_on_an_event_stream() {
    let start = AUTO.with(TWO_WAYS).choosing(EraChoice::Legacy);
    for (code, status) in [(-32020, 400), (-32021, 404), (-32022, 400), (-32601, 404)] {
        start.check(
            &[error(status, code)],
            &[I],
            &format!("failed: the server refused initialize: no (code {code})"),
        );
    }
    // The same words with another status are those of a legacy server.
    start.check(&[error(400, -32601), Opens, initialized("2024-11-05")], &[I, I, READY], "ready 2024-11-05");
    // Where only modern servers are wanted, that way is closed, whatever is remembered.
    let memory = Memory { era: Some(Era::Legacy), event_stream: true };
    let modern = Start(EraChoice::Modern, memory, TWO_WAYS);
    let drive = Drive::new(Settings { era: modern.0, memory, ..Settings::default() });
    assert!(!drive.session.memory().event_stream);
    modern.check(&[discovered(&["2026-07-28"])], &[D], "ready 2026-07-28");
}

#[test]
fn initialize_is_offered_another_revision_once_with_any_status() {
    let offer =
        |status| Turns(status, Some(object(-32602, Some(json!({"supported": ["2024-11-05"]})))), None);
    for status in [400, 404, 500] {
        AUTO.with(TWO_WAYS).choosing(EraChoice::Legacy).check(
            &[offer(status), initialized("2024-11-05")],
            &[I, I, READY],
            "ready 2024-11-05",
        );
        AUTO.choosing(EraChoice::Legacy).check(
            &[offer(status), offer(status)],
            &[I, I],
            &format!(
                "failed: the server turned down POST initialize: status {status}: no (code -32602); POST initialize: \
                 status {status}: no (code -32602)"
            ),
        );
    }
}

#[test]
fn a_memory_that_is_out_of_date_is_given_up_once() {
    let legacy = AUTO.with(TWO_WAYS).knowing(Era::Legacy);
    legacy.check(&[initialized("2025-06-18")], &[I, READY], "ready 2025-06-18");
    for proof in [
        unsupported(400, &["2026-07-28"]),
        error(400, -32022),
        error(400, -32020),
        error(404, -32601),
        Answers(json!({"error": {"code": -32022, "message": "no"}})),
        Turns(400, Some(object(-32602, Some(json!({"supported": ["2026-07-28"]})))), None),
    ] {
        legacy.check(&[proof.clone(), discovered(&["2026-07-28"])], &[I, D], "ready 2026-07-28");
        // No turning in circles.
        legacy.check(
            &[proof, error(400, -32601), error(400, -32022)],
            &[I, D, I],
            "failed: the server refused initialize: no (code -32022)",
        );
    }
    let modern = AUTO.knowing(Era::Modern);
    modern.check(&[empty(404), initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
    modern.check(&[error(200, -32601), initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");

    // The event stream is remembered, too; when it does not open, the first way is tried.
    let memory = Memory { era: Some(Era::Legacy), event_stream: true };
    let known = Start(EraChoice::Auto, memory, Binding::EventStream);
    known.check(&[initialized("2024-11-05")], &[I, READY], "ready 2024-11-05");
    let mut drive = Drive::new(Settings { memory, ..Settings::default() });
    assert_eq!(drive.session.other_way_closed("status 404".into()), None, "nothing else was tried yet");
    assert_eq!(drive.session.memory(), Memory { era: Some(Era::Legacy), event_stream: false });
    drive.open_by(TWO_WAYS);
    drive.answer(&json!({"result": {"protocolVersion": "2025-06-18", "capabilities": {}}}));
    assert_eq!(drive.verdict.as_deref(), Some("ready 2025-06-18"));
}

#[test]
fn where_one_era_was_chosen_the_other_is_not_tried() {
    let modern = AUTO.with(TWO_WAYS).choosing(EraChoice::Modern);
    modern.check(&[discovered(&["2026-07-28"])], &[D], "ready 2026-07-28");
    for turned in [empty(400), html(404), empty(405), error(400, -32601), empty(202)] {
        let Turns(status, object, said) = turned.clone() else { unreachable!() };
        let found = Unanswered { status, error: object, said: said.map(str::to_owned) };
        let down = format!("failed: the server turned down POST server/discover: {found}");
        modern.check(&[turned], &[D], &down);
    }
    modern.check(
        &[Answers(json!({"error": {"code": -32601, "message": "no"}}))],
        &[D],
        "failed: the server does not speak a modern revision",
    );
    let legacy = AUTO.choosing(EraChoice::Legacy);
    legacy.check(&[initialized("2025-11-25")], &[I, READY], "ready 2025-11-25");
    legacy.check(
        &[unsupported(400, &["2026-07-28"])],
        &[I],
        "failed: the server refused initialize: no (code -32022)",
    );
}
