//! A signal in the very moment in which the system leaves it to the run.

use codewhale_e2e::{TestEnvironment, wait_until_none_survive};
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::started::Started;

/// How often a run may be faster than the one who wants to hold it.
const TRIES: usize = 50;

#[test]
fn no_signal_is_lost_while_a_run_begins_to_listen() {
    for (signal, sent, code) in [
        (Signal::SIGINT, rustix::process::Signal::INT, 130),
        (Signal::SIGTERM, rustix::process::Signal::TERM, 143),
    ] {
        let trial = TestEnvironment::new();
        let server = trial.fake("plain").join(" ");
        let arguments = ["mcp", "call", "--stdio", &server, "slow", "ms=600000"];
        let mut run = (0..TRIES)
            .find_map(|_| held(Started::new(&trial, &arguments), signal))
            .unwrap_or_else(|| panic!("every one of {TRIES} runs listened for {signal} before it was held"));
        run.send(sent);
        ptrace::detach(pid(&run), None).expect("it is held");
        let status = run.end().unwrap_or_else(|fault| panic!("after {signal} it {fault}"));
        assert_eq!(status.code(), Some(code), "{signal}: {status}");
        wait_until_none_survive(trial.marker(), std::time::Duration::ZERO).expect("an orderly end");
    }
}

/// The run, held at the end of the system call with which it takes a signal from the system; nothing if it had done so
/// before.
fn held(mut run: Started, signal: Signal) -> Option<Started> {
    let pid = pid(&run);
    ptrace::attach(pid).expect("a parent may trace its child");
    let mut first = true;
    loop {
        // Held are the first moment, and both ends of every system call.
        match waitpid(pid, None).expect("it is our child") {
            WaitStatus::Stopped(_, Signal::SIGSTOP | Signal::SIGTRAP) => {}
            other => panic!("instead of listening it {other:?}"),
        }
        if catches(pid, signal) {
            if !first {
                return Some(run);
            }
            run.send(rustix::process::Signal::KILL);
            run.end().expect("nothing outlives this signal");
            return None;
        }
        first = false;
        ptrace::syscall(pid, None).expect("it is held");
    }
}

fn pid(run: &Started) -> Pid {
    Pid::from_raw(run.pid().as_raw_nonzero().get())
}

/// Whether a process has a handler for a signal.
fn catches(pid: Pid, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it is our child");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).expect("Linux tells");
    let caught = u64::from_str_radix(caught, 16).expect("a set of signals in hexadecimal digits");
    caught & 1 << (signal as i32 - 1) != 0
}
