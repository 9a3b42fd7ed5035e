//! What is told while the first prompt waits, and when it leaves: every kind of server, window and interruption.

use std::time::Duration;

use codewhale_host::window::length;
use serde_json::{Value, json};

use crate::world::{Behaviour, Plan, Trial};

/// When a slow server answers, and when somebody interferes.
const SLOW: u64 = 700;
const MEANWHILE: u64 = 100;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Meanwhile {
    Nothing,
    NewMessage,
    Interrupt,
}

/// A server's state when it settles, and when that is.
#[derive(Debug, Clone, Copy)]
struct Settles {
    state: &'static str,
    at: Option<u64>,
}

/// What has to be told: an event, a state, how many have settled; and when the prompt leaves.
fn expected(eager: bool, settles: Settles, window: u64, meanwhile: Meanwhile) -> (Vec<Value>, u64) {
    if !eager || window == 0 {
        return (Vec::new(), 0);
    }
    let server = |state: &str, completed: u64| json!(["server", state, completed, 1]);
    let mut told = vec![json!(["start", ["s"], 1]), server("connecting", 0)];
    let cut = if meanwhile == Meanwhile::Nothing { u64::MAX } else { MEANWHILE };
    let settled = settles.at.unwrap_or(u64::MAX);
    let end = settled.min(cut).min(window);
    let finish = |failed: &[&str], timed_out: &[&str]| json!(["finish", failed, timed_out]);
    match () {
        () if end == settled => {
            told.push(server(settles.state, 1));
            told.push(if settles.state == "failed" { finish(&["s"], &[]) } else { finish(&[], &[]) });
        }
        () if end == cut => told.push(finish(&[], &["s"])),
        () => {
            told.push(server("timeout", 1));
            told.push(finish(&[], &["s"]));
        }
    }
    (told, end)
}

fn short(message: &Value) -> Value {
    match message["event"].as_str().unwrap() {
        "start" => json!(["start", message["servers"], message["total_count"]]),
        "server" => json!(["server", message["state"], message["completed"], message["total"]]),
        _ => json!(["finish", message["failed"], message["timed_out"]]),
    }
}

async fn check(
    (kind, definition): (&str, Value),
    (behaviour, settles): (Behaviour, Settles),
    setting: Option<&str>,
    meanwhile: Meanwhile,
) {
    let case = format!("{kind}, {behaviour:?}, {setting:?}, {meanwhile:?}");
    let window = length(|_| setting.map(Into::into));
    let behaves: fn(&str) -> Option<Behaviour> = match behaviour {
        Behaviour::Fast => |_| Some(Behaviour::Fast),
        Behaviour::Slow(_) => |_| Some(Behaviour::Slow(Duration::from_millis(SLOW))),
        Behaviour::Failing => |_| Some(Behaviour::Failing),
        Behaviour::Hung => |_| Some(Behaviour::Hung),
        Behaviour::NeedsLogin => |_| Some(Behaviour::NeedsLogin),
        Behaviour::Skilled => |_| Some(Behaviour::Skilled),
        Behaviour::Quoting => |_| Some(Behaviour::Quoting),
        Behaviour::Mute => |_| Some(Behaviour::Mute),
    };
    let trial = Trial::start(Plan { servers: json!({"s": definition}), behaves, window, ..Plan::default() });
    trial.prompt("hi").await;
    if meanwhile != Meanwhile::Nothing {
        tokio::time::sleep(Duration::from_millis(MEANWHILE)).await;
    }
    match meanwhile {
        Meanwhile::Nothing => {}
        Meanwhile::NewMessage => trial.prompt("and then?").await,
        Meanwhile::Interrupt => {
            let request = json!({"subtype": "interrupt"});
            trial.say(json!({"type": "control_request", "request_id": "i", "request": request})).await;
        }
    }
    let messages = trial.end().await;
    let told: Vec<&Value> = messages.iter().filter(|message| message["subtype"] == "mcp_status").collect();
    let (wanted, leaves) =
        expected(kind != "neither", settles, window.as_millis().try_into().unwrap(), meanwhile);
    let short: Vec<Value> = told.iter().map(|message| short(message)).collect();
    assert_eq!(short, wanted, "{case}");
    for message in &told {
        let is_failure = message["state"] == "failed";
        assert_eq!(message["error"].as_str().is_some_and(|error| !error.is_empty()), is_failure, "{case}");
        let keys = message.as_object().unwrap();
        assert!(keys.contains_key("uuid") && keys.contains_key("__timestamp"), "{case}");
    }
    let results: Vec<&Value> = messages.iter().filter(|message| message["type"] == "result").collect();
    assert_eq!(results.len(), if meanwhile == Meanwhile::NewMessage { 2 } else { 1 }, "{case}");
    let took = results[0]["duration_ms"].as_u64().unwrap();
    assert!((leaves..=leaves + 20).contains(&took), "{case}: it left after {took} ms, not {leaves}");
    let interrupted = meanwhile == Meanwhile::Interrupt && leaves == MEANWHILE;
    assert_eq!(results[0]["terminal_reason"] == "interrupted", interrupted, "{case}");
    // Init comes first, then what is told of the wait, then everything of the turn.
    let place = |is_it: &dyn Fn(&Value) -> bool| messages.iter().position(is_it);
    let last_told = messages.iter().rposition(|message| message["subtype"] == "mcp_status");
    assert_eq!(place(&|message| message["subtype"] == "init"), Some(0), "{case}");
    if let Some(last) = last_told {
        assert!(Some(last) < place(&|message| message["type"] == "result"), "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_prompt_waits_for_just_what_it_tells_and_leaves_in_time() {
    let kinds = [
        ("alwaysLoad", json!({"type": "sdk", "alwaysLoad": true})),
        ("defer_loading", json!({"type": "sdk", "defer_loading": false})),
        ("required", json!({"type": "sdk", "required": true})),
        ("neither", json!({"type": "sdk"})),
    ];
    let settles = |state, at| Settles { state, at };
    let servers = [
        (Behaviour::Fast, settles("ready", Some(0))),
        (Behaviour::Slow(Duration::from_millis(SLOW)), settles("ready", Some(SLOW))),
        (Behaviour::Failing, settles("failed", Some(0))),
        (Behaviour::Hung, settles("", None)),
        (Behaviour::NeedsLogin, settles("failed", Some(0))),
    ];
    let windows = [Some("0"), Some("300"), None, Some("soon")];
    for kind in &kinds {
        for server in servers {
            for window in windows {
                for meanwhile in [Meanwhile::Nothing, Meanwhile::NewMessage, Meanwhile::Interrupt] {
                    check(kind.clone(), server, window, meanwhile).await;
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn servers_are_told_of_in_the_order_of_the_configuration_and_late_ones_join_the_next_turn() {
    let eager = json!({"type": "sdk", "alwaysLoad": true});
    let trial = Trial::start(Plan {
        servers: json!({"a_slow": eager, "b_hung": eager, "c_failing": eager, "d_deferred": {"type": "sdk"}}),
        behaves: |name| {
            Some(match name {
                "a_slow" => Behaviour::Slow(Duration::from_millis(2_500)),
                "b_hung" => Behaviour::Hung,
                "c_failing" => Behaviour::Failing,
                _ => Behaviour::Fast,
            })
        },
        ..Plan::default()
    });
    trial.prompt("hi").await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    trial.prompt("again").await;
    let messages = trial.end().await;
    let told: Vec<Value> = messages.iter().filter(|it| it["subtype"] == "mcp_status").cloned().collect();
    assert_eq!(told[0]["servers"], json!(["a_slow", "b_hung", "c_failing"]));
    let names =
        |told: &[Value]| told.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&told[1..4]), ["a_slow", "b_hung", "c_failing"]);
    assert_eq!(names(&told[4..7]), ["c_failing", "a_slow", "b_hung"]);
    let counts: Vec<&Value> = told[4..7].iter().map(|it| &it["completed"]).collect();
    assert_eq!(counts, [1, 2, 3]);
    assert_eq!(
        (&told[7]["failed"], &told[7]["timed_out"]),
        (&json!(["c_failing"]), &json!(["a_slow", "b_hung"]))
    );
    assert_eq!(told.len(), 8, "{told:#?}");
    let tools = |at: usize| {
        let inits: Vec<&Value> = messages.iter().filter(|it| it["subtype"] == "init").collect();
        inits[at]["tools"].as_array().unwrap().clone()
    };
    assert!(!tools(0).contains(&json!("mcp_a_slow_echo")));
    assert!(tools(1).contains(&json!("mcp_a_slow_echo")));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_failed_before_the_first_message_is_not_waited_for() {
    let eager = json!({"type": "sdk", "alwaysLoad": true});
    let trial = Trial::start(Plan {
        servers: json!({"broken": eager, "hung": eager}),
        behaves: |name| Some(if name == "hung" { Behaviour::Hung } else { Behaviour::Failing }),
        ..Plan::default()
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let start = messages.iter().find(|message| message["event"] == "start").unwrap();
    assert_eq!(start["servers"], json!(["hung"]));
}

#[tokio::test(start_paused = true)]
async fn a_required_server_that_failed_fails_the_turn_and_names_itself() {
    let trial = Trial::start(Plan {
        servers: json!({"needed": {"type": "sdk", "required": true}}),
        behaves: |_| Some(Behaviour::Failing),
        ..Plan::default()
    });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    let result = messages.last().unwrap();
    let error = result["errors"][0].as_str().unwrap();
    assert!(
        result["is_error"] == true && error.contains("`needed`") && error.contains("it is broken"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn print_mode_waits_as_long_and_tells_nothing() {
    let trial = Trial::start(Plan {
        flags: "-p",
        servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
        behaves: |_| Some(Behaviour::Hung),
        window: Duration::from_millis(300),
        ..Plan::default()
    });
    trial.prompt("hi").await;
    let messages = trial.end().await;
    assert!(messages.iter().all(|message| message["subtype"] != "mcp_status"), "{messages:#?}");
    let took = messages.last().unwrap()["duration_ms"].as_u64().unwrap();
    assert!((300..=320).contains(&took), "{took}");
}
