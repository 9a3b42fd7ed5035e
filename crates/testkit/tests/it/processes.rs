//! Modes that are about processes rather than messages.
#![cfg(unix)]

use crate::play::{DEADLINE, OPEN, Play, call};
use std::process::Command;
use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "a signal is sent to a process of the test")]
fn signal(name: &str, pid: &str) {
    let sent = Command::new("kill").args([name, pid]).status().unwrap();
    assert!(sent.success(), "kill {name} {pid}");
}

/// The number after `grandchild ` on stderr.
fn grandchild(play: &mut Play) -> String {
    let line = play.first_error();
    line.strip_prefix("grandchild ").unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// A zombie is gone as well.
#[cfg(target_os = "linux")]
fn is_gone(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    state.is_err() || state.is_ok_and(|text| text.contains(") Z "))
}

#[cfg(target_os = "linux")]
fn wait_until_gone(pid: &str) {
    let end = Instant::now() + DEADLINE;
    while !is_gone(pid) {
        assert!(Instant::now() < end, "process {pid} stays");
        std::thread::yield_now();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_grandchild_outlives_its_server() {
    let mut play = Play::start("grandchild --detached");
    let pid = grandchild(&mut play);
    play.open();
    play.follow("end 0");
    assert!(!is_gone(&pid));
    signal("-TERM", &pid);
    wait_until_gone(&pid);
}

#[test]
#[cfg(target_os = "linux")]
fn a_deaf_grandchild_ends_only_by_kill() {
    let mut play = Play::start("grandchild --ignore-term --detached");
    let pid = grandchild(&mut play);
    play.open();
    let end = Instant::now() + DEADLINE;
    // The shell has handed over when the signal is in the set of ignored ones: bit 15 of a hexadecimal mask.
    while !ignores_term(&pid) {
        assert!(Instant::now() < end, "the grandchild listens to TERM");
        std::thread::yield_now();
    }
    signal("-TERM", &pid);
    play.follow("end 0");
    assert!(!is_gone(&pid));
    signal("-KILL", &pid);
    wait_until_gone(&pid);
}

#[cfg(target_os = "linux")]
fn ignores_term(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & (1 << 14) != 0)
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_deaf_to_term_serves_on_and_stays_after_its_input() {
    let mut play = Play::start("ignore-term");
    play.open();
    let pid = play.child.id().to_string();
    signal("-TERM", &pid);
    play.say(&call("1", "echo", r#"{"text":"still here"}"#));
    play.follow("< still here");
    play.close_stdin();
    signal("-TERM", &pid);
    assert!(!is_gone(&pid));
}

#[test]
fn a_server_that_stays_is_there_after_its_input() {
    let mut play = Play::start("stay");
    play.open();
    play.close_stdin();
    assert!(play.child.try_wait().unwrap().is_none());
    play.child.kill().unwrap();
    play.silence();
}

#[test]
fn a_launcher_passes_stdio_on_and_the_exit_code_back() {
    let mut play = Play::start("launcher --serve plain");
    grandchild(&mut play);
    play.open();
    play.say(&call("1", "exit", r#"{"code":5}"#));
    play.follow("gone 5");
}

#[test]
fn a_launcher_may_leave_while_its_server_serves_on() {
    let mut play = Play::start("launcher --leave");
    grandchild(&mut play);
    assert_eq!(play.exit(), Some(0));
    play.open();
    play.close_stdin();
    play.silence();
}

#[test]
fn lingering_says_nothing_and_ends_by_a_signal() {
    let mut play = Play::start("linger");
    signal("-TERM", &play.child.id().to_string());
    play.silence();
    assert_eq!(play.exit(), None);
}

#[test]
fn a_server_that_closes_stdout_stays_alive() {
    let mut play = Play::start("close-stdout");
    play.open();
    play.say(&call("1", "echo", ""));
    play.silence();
    assert!(play.child.try_wait().unwrap().is_none());
    play.close_stdin();
    assert_eq!(play.exit(), Some(0));
}

#[test]
fn a_server_that_does_not_read_fills_its_pipe_and_ignores_its_end() {
    let mut play = Play::start("hang-no-read");
    play.say(OPEN);
    play.close_stdin();
    assert!(play.child.try_wait().unwrap().is_none());
}
