//! Standard error is always drained and never kept without bound.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_process::{Exit, Ladder, Setup};

use crate::harness::{PIPES, Server, shell, soon, with};

/// What is kept at most, and what a cut line and its mark have at most.
const RING: usize = 64 * 1024;
const LINE: usize = 4096 + 3;

fn check_bounds(lines: &[String]) {
    assert!(lines.len() <= 200, "{} lines", lines.len());
    assert!(lines.iter().all(|line| line.len() <= LINE));
    assert!(lines.iter().map(String::len).sum::<usize>() <= RING);
}

#[tokio::test]
async fn a_flood_neither_blocks_the_server_nor_stays_in_memory() {
    let script = "line=$(head -c 45000 /dev/zero | tr '\\0' x)
        i=0; while [ $i -lt 200 ]; do printf '%s\\n' \"$line\" >&2; i=$((i+1)); done
        echo last >&2; echo reply; read x";
    for pipes in PIPES {
        let mut server = Server::start(&shell(script), &with(pipes));
        assert_eq!(server.line().await, "reply\n");
        drop(server.stdin.take());
        server.exited().await;
        let lines = server.process.last_lines();
        check_bounds(&lines);
        assert_eq!(lines.last().unwrap(), "last");
        assert!(lines[0].ends_with("x…"));
    }
}

#[tokio::test]
async fn an_endless_line_neither_blocks_the_server_nor_its_end() {
    // More than a pipe holds goes first, so that the reply proves that it was read.
    let script = "head -c 300000 /dev/zero | tr '\\0' x >&2
        tr '\\0' x </dev/zero >&2 & echo reply; read x; exit 2";
    for pipes in PIPES {
        let mut server = Server::start(&shell(script), &with(pipes));
        assert_eq!(server.line().await, "reply\n");
        drop(server.stdin.take());
        assert_eq!(soon(server.process.stop(Ladder::default())).await, Exit::Exited(2));
        assert!(server.group_is_empty());
        let lines = server.process.last_lines();
        check_bounds(&lines);
        assert!(lines[0].starts_with("xxx"));
    }
}

#[tokio::test]
async fn a_last_word_is_there_when_the_exit_is() {
    for pipes in PIPES {
        for number in 0..25 {
            let server = Server::start(
                &shell(&format!("echo first >&2; printf boom >&2; exit {number}")),
                &with(pipes),
            );
            assert_eq!(server.exited().await, Exit::Exited(number));
            assert_eq!(server.process.last_lines(), ["first", "boom"]);
        }
    }
}

#[tokio::test]
async fn a_descendant_that_holds_stderr_does_not_hold_up_the_exit() {
    for pipes in PIPES {
        // It ignores the request to leave, so that stderr is still open when the exit is told.
        let script = "(trap '' TERM; echo ready; exec sleep 600) & read x; echo boom >&2; exit 7";
        let mut server = Server::start(&shell(script), &with(pipes));
        assert_eq!(server.line().await, "ready\n");
        server.say("\n").await;
        assert_eq!(server.exited().await, Exit::Exited(7));
        assert_eq!(server.process.last_lines(), ["boom"]);
        assert!(!server.group_is_empty());
        let ladder = Ladder { stdin_wait: Duration::ZERO, term_wait: Duration::ZERO };
        assert_eq!(soon(server.process.stop(ladder)).await, Exit::Exited(7));
        assert!(server.group_is_empty());
    }
}

#[tokio::test]
async fn a_sink_sees_every_line_in_order() {
    let expected: Vec<String> = (0..1000).map(|number| format!("line {number}")).collect();
    for pipes in PIPES {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let sink = Arc::new(move |line: &str| log.lock().unwrap().push(line.to_owned()));
        let setup = Setup { stderr: Some(sink), ..with(pipes) };
        let script = "i=0; while [ $i -lt 1000 ]; do echo line $i >&2; i=$((i+1)); done";
        let server = Server::start(&shell(script), &setup);
        server.exited().await;
        assert_eq!(*seen.lock().unwrap(), expected);
        assert_eq!(server.process.last_lines(), expected[800..]);
    }
}
