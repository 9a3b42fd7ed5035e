//! The era matrix: what each kind of answer to each first message leads to.

use codewhale_mcp_protocol::Era;
use codewhale_mcp_session::{EraChoice, Memory, Received, Settings, Verdict};
use serde_json::{Value, json};

use crate::drive::Drive;

/// What the server does next.
enum Does {
    Answers(Value),
    Says(&'static str),
    IsSilent(f64),
    Closes,
    Reopens,
}
use Does::{Answers, Closes, IsSilent, Reopens, Says};

fn error(code: i64) -> Does {
    Answers(json!({"error": {"code": code, "message": "no"}}))
}

fn unsupported(supported: &[&str]) -> Does {
    Answers(json!({"error": {"code": -32022, "message": "no", "data": {"supported": supported}}}))
}

fn discovered(versions: &[&str]) -> Does {
    Answers(json!({"result": {"supportedVersions": versions, "resultType": "complete"}}))
}

fn initialized(version: &str) -> Does {
    Answers(json!({"result": {"protocolVersion": version, "capabilities": {"tools": {}}}}))
}

fn check(era: EraChoice, known: Option<Era>, script: Vec<Does>, methods: &[&str], verdict: &str) {
    let settings =
        Settings { era, memory: Memory { era: known, ..Memory::default() }, ..Settings::default() };
    let mut drive = Drive::new(settings);
    drive.open();
    for step in script {
        match step {
            Answers(members) => drive.answer(&members),
            Says(line) => drop(drive.say(line)),
            IsSilent(seconds) => assert!(drive.wait(seconds).is_empty(), "no request has left yet"),
            Closes => drive.close(),
            Reopens => {
                assert_eq!(drive.verdict.take().as_deref(), Some("reopen"));
                drive.open();
            }
        }
    }
    assert_eq!(drive.methods(), methods, "for the verdict {verdict}");
    assert_eq!(drive.verdict.as_deref(), Some(verdict));
}

const D: &str = "server/discover";
const I: &str = "initialize";
const READY: &str = "notifications/initialized";

#[test]
fn auto_follows_the_era_matrix() {
    let auto =
        |script, methods: &[&str], verdict: &str| check(EraChoice::Auto, None, script, methods, verdict);

    auto(vec![discovered(&["2026-07-28"])], &[D], "ready 2026-07-28");
    auto(vec![discovered(&["2025-11-25", "2026-07-28", "2099-01-01"])], &[D], "ready 2026-07-28");
    // A modern error proves a modern server, whatever else it says.
    auto(vec![unsupported(&["2026-07-28"]), discovered(&["2026-07-28"])], &[D, D], "ready 2026-07-28");
    auto(
        vec![unsupported(&["2026-07-28"]), unsupported(&["2026-07-28"])],
        &[D, D],
        "failed: the server refused server/discover: no (code -32022)",
    );
    auto(
        vec![unsupported(&["2099-01-01"])],
        &[D],
        "failed: the server speaks 2099-01-01, none of which we speak",
    );
    auto(
        vec![error(-32022)],
        &[D],
        "failed: the server refuses the revisions that we speak, and names none of its own",
    );
    for code in [-32020, -32021] {
        let refused = format!("failed: the server refused server/discover: no (code {code})");
        auto(vec![error(code)], &[D], &refused);
    }
    // Only legacy revisions in common: the handshake is the only way to use them.
    for first in [discovered(&["2025-06-18"]), unsupported(&["2025-06-18"])] {
        auto(vec![first, initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
    }
    // Any other error, of any code, an answer that is none, or none at all: legacy.
    for code in [-32601, -32602, -32600, -32603, -32700, -32000, -32001, -32002, 0, 1] {
        auto(vec![error(code), initialized("2025-11-25")], &[D, I, READY], "ready 2025-11-25");
    }
    for odd in [
        json!({"result": {}}),
        json!({"result": {"supportedVersions": []}}),
        json!({"result": {"supportedVersions": "2026-07-28"}}),
        json!({"result": {"supportedVersions": [20_260_728]}}),
        json!({"result": {"supportedVersions": ["2026-07-28"]}, "error": {"code": -32022, "message": "no"}}),
        json!({"result": {"tools": []}}),
        json!({"result": "ok"}),
        json!({}),
    ] {
        auto(vec![Answers(odd), initialized("2024-11-05")], &[D, I, READY], "ready 2024-11-05");
    }
    let unknown = json!({"result": {"supportedVersions": ["2026-07-28"], "resultType": "task"}});
    auto(
        vec![Answers(unknown)],
        &[D],
        "failed: the server's answer to server/discover cannot be used: it has the unknown resultType \"task\"",
    );
    auto(vec![IsSilent(5.0), initialized("2025-03-26")], &[D, I, READY], "ready 2025-03-26");
    // An error without an id can only be about the probe.
    let anonymous = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#;
    auto(vec![Says(anonymous), initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
    // A late answer to the probe changes nothing.
    let late = r#"{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}"#;
    auto(vec![IsSilent(5.0), Says(late), initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
    // A modern server that was slow to start answers both, the probe too late; it is asked again, once.
    let slow = || vec![IsSilent(5.0), Says(late), unsupported(&["2026-07-28"])];
    let then = |next: Does| slow().into_iter().chain([next]).collect::<Vec<_>>();
    auto(then(discovered(&["2026-07-28"])), &[D, I, D], "ready 2026-07-28");
    auto(then(IsSilent(120.0)), &[D, I, D], "failed: the server did not answer server/discover within 120 s");
    // So is one that answered the probe late and refuses the handshake in any other words.
    let refused = vec![IsSilent(5.0), Says(late), error(-32601), discovered(&["2026-07-28"])];
    auto(refused, &[D, I, D], "ready 2026-07-28");
    auto(vec![IsSilent(5.0), initialized("2025-06-18"), Says(late)], &[D, I, READY], "ready 2025-06-18");
    let error_late = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
    auto(
        vec![IsSilent(5.0), Says(error_late), initialized("2025-06-18")],
        &[D, I, READY],
        "ready 2025-06-18",
    );
    // A server that refuses the probe and then ends is opened again, too.
    auto(
        vec![error(-32601), Closes, Reopens, initialized("2025-06-18")],
        &[D, I, I, READY],
        "ready 2025-06-18",
    );
    auto(
        vec![discovered(&["2025-06-18"]), Closes],
        &[D, I],
        "failed: the server closed the connection before it answered initialize",
    );
    // A server that ends on the probe is opened again, without one.
    auto(vec![Closes, Reopens, initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");
    auto(
        vec![Closes, Reopens, Closes],
        &[D, I],
        "failed: the server closed the connection before it answered initialize",
    );
    auto(
        vec![IsSilent(5.0), Closes, Reopens, initialized("2025-06-18")],
        &[D, I, I, READY],
        "ready 2025-06-18",
    );
    auto(
        vec![IsSilent(5.0), IsSilent(120.0)],
        &[D, I],
        "failed: the server did not answer server/discover and initialize within 120 s",
    );
}

#[test]
fn initialize_is_answered_with_a_legacy_revision_or_the_server_cannot_be_used() {
    let legacy =
        |script, methods: &[&str], verdict: &str| check(EraChoice::Legacy, None, script, methods, verdict);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        legacy(vec![initialized(version)], &[I, READY], &format!("ready {version}"));
    }
    legacy(
        vec![initialized("1999-01-01")],
        &[I],
        "failed: the server speaks 1999-01-01, none of which we speak",
    );
    legacy(
        vec![initialized("2026-07-28")],
        &[I],
        "failed: the server's answer to initialize cannot be used: 2026-07-28 is not a revision with a handshake",
    );
    // A version error that names a revision we share is an offer.
    let offer = || {
        Answers(json!({"error": {"code": -32602, "message": "no", "data": {"supported": ["2024-11-05"]}}}))
    };
    legacy(vec![offer(), initialized("2024-11-05")], &[I, I, READY], "ready 2024-11-05");
    legacy(vec![offer(), offer()], &[I, I], "failed: the server refused initialize: no (code -32602)");
    legacy(vec![error(-32603)], &[I], "failed: the server refused initialize: no (code -32603)");
    legacy(vec![IsSilent(120.0)], &[I], "failed: the server did not answer initialize within 120 s");
    legacy(
        vec![Answers(
            json!({"result": {"protocolVersion": "2025-06-18"}, "error": {"code": 1, "message": ""}}),
        )],
        &[I],
        "failed: the server's answer to initialize cannot be used: a response has both a result and an error",
    );
}

#[test]
fn a_chosen_or_remembered_era_saves_the_probe() {
    let known = |era, script, methods: &[&str], verdict: &str| {
        check(EraChoice::Auto, Some(era), script, methods, verdict);
    };
    known(Era::Legacy, vec![initialized("2025-06-18")], &[I, READY], "ready 2025-06-18");
    known(Era::Modern, vec![discovered(&["2026-07-28"])], &[D], "ready 2026-07-28");
    // A memory that is out of date is given up, once.
    known(
        Era::Legacy,
        vec![unsupported(&["2026-07-28"]), discovered(&["2026-07-28"])],
        &[I, D],
        "ready 2026-07-28",
    );
    known(Era::Modern, vec![error(-32601), initialized("2025-06-18")], &[D, I, READY], "ready 2025-06-18");

    let modern = |script, verdict: &str| check(EraChoice::Modern, None, script, &[D], verdict);
    modern(vec![discovered(&["2026-07-28"])], "ready 2026-07-28");
    modern(vec![error(-32601)], "failed: the server does not speak a modern revision");
    // There is nothing to fall back to, so it may take its time.
    modern(vec![IsSilent(119.0), discovered(&["2026-07-28"])], "ready 2026-07-28");
    modern(vec![IsSilent(120.0)], "failed: the server did not answer server/discover within 120 s");
    modern(vec![Closes], "failed: the server closed the connection before it answered server/discover");
    modern(vec![discovered(&["2025-06-18"])], "failed: the server speaks 2025-06-18, none of which we speak");
}

#[test]
fn what_a_connection_learnt_can_be_handed_to_the_next() {
    for (revision, era) in [("2026-07-28", Era::Modern), ("2025-06-18", Era::Legacy)] {
        assert_eq!(Drive::ready(revision).session.memory(), Memory { era: Some(era), ..Memory::default() });
    }
}

#[test]
fn a_modern_probe_says_who_asks_and_in_which_revision() {
    let mut drive = Drive::new(Settings::default());
    drive.open();
    let meta = &drive.sent[0]["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "codewhale");
}

#[test]
fn initialize_carries_no_meta() {
    let mut drive = Drive::new(Settings { era: EraChoice::Legacy, ..Settings::default() });
    drive.open();
    let params = drive.sent[0]["params"].as_object().unwrap();
    assert_eq!(params.keys().collect::<Vec<_>>(), ["capabilities", "clientInfo", "protocolVersion"]);
    assert_eq!(params["protocolVersion"], "2025-11-25");
}

#[test]
fn initialize_offers_the_newest_revision_that_both_speak() {
    let check = |first: &Value, expected: &str| {
        let mut drive = Drive::new(Settings::default());
        drive.open();
        drive.answer(first);
        assert_eq!(drive.sent[1]["method"], I);
        assert_eq!(drive.sent[1]["params"]["protocolVersion"], expected, "{first}");
    };
    let supported = |versions: &[&str]| json!({"result": {"supportedVersions": versions}});
    check(&supported(&["2024-11-05", "2025-06-18", "2025-03-26"]), "2025-06-18");
    let data = json!({"supported": ["2024-11-05"], "requested": "2026-07-28"});
    check(&json!({"error": {"code": -32022, "message": "no", "data": data}}), "2024-11-05");
    check(&json!({"error": {"code": -32601, "message": "no"}}), "2025-11-25");
}

#[test]
fn no_request_leaves_before_the_handshake_is_over() {
    for era in [EraChoice::Auto, EraChoice::Modern, EraChoice::Legacy] {
        let mut drive = Drive::new(Settings { era, ..Settings::default() });
        assert!(drive.session.pen().is_none());
        drive.open();
        assert!(drive.session.pen().is_none(), "nothing can be written yet");
        drive.close();
        assert!(drive.session.pen().is_none());
    }
}

#[test]
fn what_a_server_says_about_itself_is_kept() {
    let capabilities = json!({"tools": {"listChanged": true}, "x-new": {"a": 1}});
    let info = json!({"name": "n", "version": "v"});
    let meta = json!({"io.modelcontextprotocol/serverInfo": info});
    let legacy = json!({
        "protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info, "instructions": "use me",
    });
    let modern = json!({
        "supportedVersions": ["2026-07-28"], "capabilities": capabilities, "_meta": meta, "instructions": "use me",
    });
    for (era, result) in [(EraChoice::Legacy, legacy), (EraChoice::Modern, modern)] {
        let mut session = codewhale_mcp_session::Session::new(Settings { era, ..Settings::default() });
        let mut out = Vec::new();
        session.opened(std::time::Duration::ZERO, &mut out);
        let line = json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string();
        let received = session.receive(std::time::Duration::ZERO, line.as_bytes(), &mut out);
        let Received::Verdict(Verdict::Ready(established)) = received else { panic!("{received:?}") };
        assert_eq!(established.instructions.as_deref(), Some("use me"));
        assert_eq!(established.server_info.map(|info| info.name).as_deref(), Some("n"));
        assert_eq!(serde_json::to_value(&established.capabilities).unwrap(), capabilities);
    }
}
