//! Nothing of a run survives it, however it ends.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use codewhale_e2e::{TestEnvironment, end_survivors, survivors, wait_until_none_survive};
use rustix::process::{Pid, Signal, kill_process};

/// How long the last process of a trial may take to go.
const PATIENCE: Duration = Duration::from_secs(15);

/// Starts a call that does not end, of a server that a launcher starts and that a grandchild outlives.
fn start(trial: &TestEnvironment, mode: &str) -> Child {
    let server = trial.fake(mode).join(" ");
    let binary = codewhale_testkit::binary("codewhale");
    let arguments = ["mcp", "call", "--stdio", &server, "slow", "ms=60000"];
    let mut command = trial.command(&binary, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary starts")
}

/// Sends `signal` once the server's own child runs, and expects that nothing is left.
fn check(mode: &str, child: &str, signal: Signal) {
    let trial = TestEnvironment::new();
    let mut run = start(&trial, mode);
    let begin = Instant::now();
    while !survivors(trial.marker()).iter().any(|process| process.command.contains(child)) {
        assert!(begin.elapsed() < PATIENCE, "{mode}: the server's child did not start");
        std::thread::park_timeout(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&run), signal).expect("it has not been reaped");
    run.wait().expect("it is our child");
    if let Err(left) = wait_until_none_survive(trial.marker(), PATIENCE) {
        end_survivors(trial.marker());
        panic!("{mode} {signal:?} left {left:?}");
    }
}

#[test]
fn a_killed_run_leaves_nothing_behind() {
    for _ in 0..10 {
        check("grandchild", "linger", Signal::KILL);
    }
    for _ in 0..3 {
        check("ignore-term", "stay", Signal::KILL);
    }
}

#[test]
fn an_interrupted_or_terminated_run_leaves_nothing_behind() {
    for _ in 0..3 {
        check("grandchild", "linger", Signal::INT);
        check("grandchild", "linger", Signal::TERM);
        check("launcher", "plain", Signal::INT);
    }
}
