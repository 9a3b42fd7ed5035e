//! Input in several rounds.

use codewhale_mcp_protocol::{Input, InputRequiredResult, InputResponses, Json};
use codewhale_mcp_session::Rounds;
use serde_json::json;

fn result(text: &serde_json::Value) -> InputRequiredResult {
    serde_json::from_value(text.clone()).expect("a result")
}

#[test]
fn a_round_brings_its_own_answers_and_state_and_nothing_of_an_earlier_one() {
    let mut rounds = Rounds::default();
    let first = rounds
        .next(
            "tools/call",
            result(&json!({
                "resultType": "input_required",
                "inputRequests": {"who": {"method": "elicitation/create", "params": {"message": "who?"}},
                                  "where": {"method": "roots/list"}},
                "requestState": "a\"\\ \u{7f}\u{1F40B}"
            })),
        )
        .unwrap();
    assert!(
        matches!(&first.questions[1], (name, Input::Elicit(params)) if name == "who" && params.message == "who?")
    );
    assert!(matches!(&first.questions[0], (name, Input::ListRoots(_)) if name == "where"));
    let mut answers = InputResponses::default();
    answers.push("who", Json::from(json!({"action": "decline"})));
    answers.push("where", Json::from(json!({"roots": []})));
    let members: serde_json::Value =
        serde_json::from_str(&format!("{{{}}}", first.members(&answers))).unwrap();
    assert_eq!(
        members,
        json!({"inputResponses": {"who": {"action": "decline"}, "where": {"roots": []}},
               "requestState": "a\"\\ \u{7f}\u{1F40B}"})
    );
    let second = rounds.next("tools/call", result(&json!({"requestState": ""}))).unwrap();
    assert_eq!(second.members(&InputResponses::default()), r#""requestState":"""#);
}

#[test]
fn a_state_goes_back_byte_for_byte() {
    let text = r#"{"requestState":"\u00e9\/\ud83d\udc0b"}"#;
    let round = Rounds::default().next("prompts/get", serde_json::from_str(text).unwrap()).unwrap();
    assert_eq!(format!("{{{}}}", round.members(&InputResponses::default())), text);
}

#[test]
fn a_server_that_only_wants_to_be_asked_again_is_given_time() {
    let mut rounds = Rounds::default();
    let mut pause =
        |asked: &serde_json::Value| rounds.next("resources/read", result(asked)).unwrap().pause.as_millis();
    let busy = json!({"requestState": "s"});
    assert_eq!([pause(&busy), pause(&busy), pause(&busy)], [100, 200, 400]);
    assert_eq!(pause(&json!({"inputRequests": {"r": {"method": "roots/list"}}})), 0);
    assert_eq!(pause(&busy), 100);
    for _ in 0..10 {
        assert!(pause(&busy) <= 5000);
    }
}

#[test]
fn input_that_must_not_be_asked_for_is_refused() {
    let check = |method: &str, text: &serde_json::Value, expected: &str| {
        let error = Rounds::default().next(method, result(text)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let state = json!({"requestState": "s"});
    check("tools/list", &state, "tools/list cannot need input");
    check("tools/call", &json!({}), "the server asks for input and does not say which");
    check("tools/call", &json!({"inputRequests": {}}), "the server asks for input and does not say which");
    let other = json!({"inputRequests": {"x": {"method": "tools/call", "params": {}}}});
    check("tools/call", &other, "\"tools/call\" is no input request");
    let mut rounds = Rounds::default();
    let last = std::iter::repeat_with(|| rounds.next("tools/call", result(&state))).take(17).last().unwrap();
    assert_eq!(last.unwrap_err().to_string(), "the server asked for input 16 times");
}
