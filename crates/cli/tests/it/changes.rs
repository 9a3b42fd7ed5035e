//! `subscribe`: what changes at a server, in both eras.

use std::thread;

use codewhale_cli::{Exit, Signal};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::world::{Machine, SECOND, answer, discovered, error};

fn note(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// A notification of a modern subscription.
fn told(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": SECOND});
    note(method, params)
}

fn modern() -> Machine {
    let machine = Machine::new();
    let honoured = json!({"toolsListChanged": true, "resourceSubscriptions": ["a://x"]});
    let stream = [
        told("notifications/subscriptions/acknowledged", json!({"notifications": honoured})),
        told("notifications/tools/list_changed", json!({})),
        told("notifications/resources/updated", json!({"uri": "a://x/part"})),
        answer(SECOND, json!({})),
    ];
    // It stays, so that its end is not mixed up with that of the stream.
    machine.with_canned("s", &[&[discovered(json!({"tools": {}, "resources": {}}))], &stream, &[]]);
    machine
}

/// A legacy server that tells of two changes when a resource is subscribed to, and leaves.
fn legacy(capabilities: Value) -> Machine {
    let machine = Machine::new();
    let shaken = json!({
        "protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": {"name": "s", "version": "1"}
    });
    let third = 2 * (SECOND - 1) + 1;
    let changes = [
        answer(third, json!({})),
        note("notifications/resources/updated", json!({"uri": "a://x"})),
        note("notifications/prompts/list_changed", json!({})),
        note("notifications/tools/list_changed", json!({})),
    ];
    machine.with_canned("s", &[&[error(1, -32601)], &[answer(SECOND, shaken)], &[], &changes]);
    machine
}

#[test]
fn changes_are_printed_as_they_come_until_a_modern_server_ends_the_stream() {
    let subscribe = ["mcp", "subscribe", "s", "a://x", "--tools", "--prompts"];
    let ran = modern().run(&subscribe).ends(Exit::Ok);
    assert_eq!(ran.stdout, "tools\nresource a://x/part\nended by the server\n", "{ran}");
    ran.says("s tells of the list of tools, a://x").says("it does not tell of the list of prompts");
    let ran = modern().run(&[&subscribe[..], &["--json"]].concat()).ends(Exit::Ok);
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&Value> = lines.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["agreed", "tools", "resource", "ended"], "{ran}");
    assert_eq!(lines[0]["honoured"]["toolsListChanged"], true);
    assert_eq!(lines[2]["uri"], "a://x/part");
}

#[test]
fn a_legacy_server_is_asked_for_resources_and_its_end_is_a_failure() {
    let capabilities = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}});
    let ran = legacy(capabilities).run(&["mcp", "subscribe", "s", "a://x", "--tools"]).ends(Exit::Failed);
    assert_eq!(ran.stdout, "resource a://x\ntools\n", "{ran}");
    ran.says("s tells of the list of tools, a://x").says("the server exited");
}

#[test]
fn a_server_that_tells_nothing_of_it_fails_at_once() {
    let subscribe = ["mcp", "subscribe", "s", "a://x"];
    legacy(json!({"tools": {}})).run(&subscribe).ends(Exit::Failed).says("resources.subscribe");
    let ran = legacy(json!({"tools": {}})).run(&subscribe[..3]).ends(Exit::Failed).says("tells of nothing");
    ran.says("it does not tell of the list of tools");
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["everything", "--era", "modern", "--honour", "none"])]);
    machine.run(&["mcp", "subscribe", "s", "--tools"]).ends(Exit::Failed).says("tells of nothing");
    machine.run(&["mcp", "subscribe"]).ends(Exit::Usage).says("name the server");
}

#[test]
fn a_signal_ends_a_subscription_and_the_server_is_told() {
    for (era, said) in [("legacy", "resources/unsubscribe"), ("modern", "notifications/cancelled")] {
        let machine = Machine::new();
        let record = machine.work().join("record");
        let args = ["everything", "--era", era, "--record", record.to_str().expect("plain")];
        machine.with_fakes(&[("s", &args)]);
        let (sender, signals) = mpsc::channel(1);
        let trial = machine.trial().signals(signals);
        let (_, stderr) = trial.streams();
        thread::scope(|scope| {
            scope.spawn(move || {
                let came = stderr.comes("s tells of");
                sender.blocking_send(Signal::Interrupt).expect("the run listens");
                assert!(came, "nothing was agreed");
            });
            trial.run(&["mcp", "subscribe", "s", "text://greeting"]).ends(Exit::Interrupted);
        });
        let record = std::fs::read_to_string(record).unwrap();
        assert!(record.contains(said) && record.contains("end 0"), "{era}: {record}");
    }
}

#[test]
fn a_server_without_log_levels_says_what_it_likes() {
    let shaken = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"resources": {}}, "serverInfo": {"name": "s", "version": "1"}
    });
    let third = 2 * (SECOND - 1) + 1;
    let read = [
        note("notifications/message", json!({"level": "info", "data": {"a": 1}})),
        answer(third, json!({"contents": [{"uri": "a://x", "text": "hello"}]})),
    ];
    let machine = Machine::new();
    machine.with_canned("s", &[&[error(1, -32601)], &[answer(SECOND, shaken)], &[], &read]);
    let ran = machine.run(&["mcp", "read", "s", "a://x", "--log-level", "error"]).ends(Exit::Ok);
    ran.prints("hello").says("does not let anybody choose").says("[info] {\"a\":1}");
}
