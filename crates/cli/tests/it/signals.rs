//! Signals end a run in an orderly way, and a second one at once.

use std::thread;

use codewhale_cli::{Exit, Signal};
use tokio::sync::mpsc;

use crate::world::Machine;

#[test]
fn a_signal_cancels_the_call_on_the_wire_and_stops_the_server() {
    for (signal, exit) in [(Signal::Interrupt, Exit::Interrupted), (Signal::Terminate, Exit::Terminated)] {
        let machine = Machine::new();
        let record = machine.work().join("record");
        machine.with_fakes(&[("s", &["plain", "--record", record.to_str().expect("plain")])]);
        let (sender, signals) = mpsc::channel(1);
        let trial = machine.trial().signals(signals);
        let (_, stderr) = trial.streams();
        thread::scope(|scope| {
            scope.spawn(move || {
                let came = stderr.comes("progress: ");
                sender.blocking_send(signal).expect("the run listens");
                assert!(came, "the call has no progress");
            });
            trial.run(&["mcp", "call", "s", "slow", "ms=60000", "every=10", "-v"]).ends(exit);
        });
        let record = std::fs::read_to_string(record).unwrap();
        let cancelled =
            record.find("notifications/cancelled").unwrap_or_else(|| panic!("not cancelled: {record}"));
        let end = record.rfind("end 0").unwrap_or_else(|| panic!("not stopped: {record}"));
        assert!(cancelled < end, "{record}");
    }
}

#[test]
fn a_second_signal_waits_for_nothing() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["hang+ignore-term"])]);
    let (sender, signals) = mpsc::channel(2);
    sender.try_send(Signal::Interrupt).unwrap();
    sender.try_send(Signal::Interrupt).unwrap();
    machine.trial().signals(signals).run(&["mcp", "validate"]).ends(Exit::Interrupted);
}

#[test]
fn following_a_log_ends_with_a_signal() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["plain"])]);
    machine.run(&["mcp", "validate"]).ends(Exit::Ok);
    let (sender, signals) = mpsc::channel(1);
    let trial = machine.trial().signals(signals);
    let (stdout, _) = trial.streams();
    thread::scope(|scope| {
        let machine = &machine;
        scope.spawn(move || {
            let old = stdout.comes("ready after");
            let told = machine.run(&["mcp", "call", "s", "log", "n=1"]);
            let new = stdout.comes("entry 1");
            sender.blocking_send(Signal::Interrupt).expect("the run listens");
            told.ends(Exit::Ok);
            assert!(old && new, "the log has not all: old {old}, new {new}");
        });
        trial.run(&["mcp", "logs", "s", "-f", "-n", "3"]).ends(Exit::Interrupted);
    });
}

#[test]
fn what_has_settled_is_told_and_what_has_not_is_named_when_a_signal_comes() {
    let machine = Machine::new();
    machine.with_fakes(&[("good", &["everything"]), ("hung", &["hang"])]);
    let commands: [&[&str]; 4] = [&["validate"], &["list", "--check"], &["tools"], &["resources"]];
    for command in commands {
        let command = [&["mcp"], command].concat();
        let (sender, signals) = mpsc::channel(1);
        let trial = machine.trial().terminal().signals(signals);
        let (_, stderr) = trial.streams();
        let ran = thread::scope(|scope| {
            scope.spawn(move || {
                // The server that answers is no longer waited for.
                let came = stderr.comes("waiting for hung");
                sender.blocking_send(Signal::Interrupt).expect("the run listens");
                assert!(came, "nobody says what is waited for");
            });
            trial.run(&command)
        });
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.exit, Exit::Interrupted, "{ran}");
        assert!(ran.stdout.contains("good") && all.contains("interrupted before it had settled"), "{ran}");
        if command[1] != "tools" && command[1] != "resources" {
            assert!(ran.stderr.contains("2 servers: 1 ready, 1 interrupted"), "{ran}");
        }
    }
}

#[test]
fn an_interrupted_check_is_still_one_json_value() {
    let machine = Machine::new();
    machine.with_fakes(&[("hung", &["hang"])]);
    let (sender, signals) = mpsc::channel(1);
    sender.try_send(Signal::Interrupt).unwrap();
    let ran = machine.trial().signals(signals).run(&["mcp", "validate", "--json"]).ends(Exit::Interrupted);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["servers"][0]["status"], "interrupted");
    assert_eq!(told["servers"][0]["failure"]["class"], "interrupted");
    assert_eq!(told["summary"]["interrupted"], 1);
}
