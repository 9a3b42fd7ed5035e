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
