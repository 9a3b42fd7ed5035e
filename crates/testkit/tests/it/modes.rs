//! Plays the table of modes and scripts, and what no script can say.

use crate::play::{DISCOVER, OPEN, Play, call, list};
use crate::{scripts_plain, scripts_spoilt};

#[test]
fn every_mode_plays_its_script() {
    for (mode, script) in scripts_plain::SCRIPTS.iter().chain(scripts_spoilt::SCRIPTS) {
        let script = script.replace("> INITIALIZE", &format!("> {OPEN}"));
        let script = script.replace("> DISCOVER", &format!("> {DISCOVER}"));
        let played = std::panic::catch_unwind(|| {
            Play::start(mode).follow(&script);
        });
        assert!(played.is_ok(), "mode {mode}");
    }
}

#[test]
fn no_mode_is_left_out() {
    let mut play = Play::start("--list");
    play.close_stdin();
    let played: String = [
        include_str!("everything.rs"),
        include_str!("hostile.rs"),
        include_str!("strict.rs"),
        include_str!("modes.rs"),
        include_str!("scripts_plain.rs"),
        include_str!("scripts_spoilt.rs"),
        include_str!("processes.rs"),
    ]
    .concat();
    let mut modes = 0;
    loop {
        let line = play.hear();
        let name = line.split(' ').next().unwrap().to_owned();
        if name == "for" {
            break;
        }
        modes += 1;
        let (alone, more) = (format!("\"{name}\""), format!("\"{name} "));
        assert!(played.contains(&alone) || played.contains(&more), "{name} is played by no test");
    }
    assert!(modes > 50, "{modes}");
}

#[test]
fn crlf_marks_the_start_and_ends_lines_with_a_return() {
    let mut play = Play::start("crlf");
    play.say(OPEN);
    assert_eq!(play.hear_bytes(), b"\xef\xbb\xbf\r\n");
    let line = play.hear_bytes();
    assert!(line.starts_with(b"{") && line.ends_with(b"}\r\n"));
    play.say(OPEN);
    assert_eq!(play.hear_bytes(), b"\r\n");
}

#[test]
fn a_bad_line_is_no_utf_8() {
    let mut play = Play::start("bad-utf8");
    play.say(OPEN);
    assert!(String::from_utf8(play.hear_bytes()).is_err());
}

#[test]
fn a_cancelled_call_is_never_answered() {
    let mut play = Play::start("plain");
    play.open();
    play.say(&call("1", "slow", r#"{"ms":1,"every":1}"#));
    play.follow("< progress\n< \"id\":1");
    play.say(&call("2", "slow", r#"{"ms":600000,"every":600000}"#));
    play.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    play.say(&list("3", ""));
    play.follow("< \"id\":3");
    assert_eq!(play.first_error(), "cancelled 2");
    play.follow("end 0");
}

#[test]
fn a_failing_start_says_why_on_stderr() {
    let mut play = Play::start("die-on-start --code 2 --stderr FATAL:_MY-TOKEN_is_not_set");
    assert_eq!(play.exit(), Some(2));
    assert_eq!(play.first_error(), "FATAL: MY-TOKEN is not set");
}

#[test]
fn a_flag_of_another_mode_is_refused() {
    let mut play = Play::start("plain --burst 7");
    assert_eq!(play.exit(), Some(2));
    assert!(play.first_error().contains("--burst"));
}
