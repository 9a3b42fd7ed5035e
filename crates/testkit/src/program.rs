//! The program `codewhale-fake`: from its arguments to its exit code.

use crate::{http, mode, model};
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Runs a fake server as a process of its own, by the arguments of `codewhale-fake`.
pub fn run(arguments: &[String]) -> ! {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let selected = match words.as_slice() {
        [] | ["--list" | "--help", ..] => list(&mode::listing()),
        ["--http", "--list" | "--help", ..] => list(&http::listing()),
        ["--http", ..] => http::select(&arguments[1..]),
        ["--model", ..] => model::select(&arguments[1..]),
        _ => mode::select(arguments),
    };
    leave(match selected {
        Ok(run) => run(),
        Err(fault) => {
            complain(&fault);
            2
        }
    })
}

fn list(listing: &str) -> ! {
    // A reader that has gone away is no failure of a listing.
    let _ = std::io::stdout().write_all(listing.as_bytes());
    leave(0)
}

/// One line on stderr, where a server may talk.
pub(crate) fn complain(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Ends the process at once, also while other threads wait.
#[expect(clippy::disallowed_methods, reason = "a fake server ends with the code it was asked for")]
pub(crate) fn leave(code: i32) -> ! {
    std::process::exit(code)
}

/// Waits for ever, as far as a test can tell; the bound keeps a forgotten process from staying.
pub(crate) fn linger() -> ! {
    let end = Instant::now() + Duration::from_secs(600);
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        std::thread::park_timeout(left);
    }
    leave(0)
}
