//! A fake MCP server: `codewhale-fake MODE[+MODE…] [flags]`, see `--list`.

mod base;
mod fault;
mod faults;
mod features;
mod http;
mod json;
mod message;
mod mode;
mod options;
mod out;
mod serve;
mod strict;

use std::io::Write as _;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if matches!(arguments.first().map(String::as_str), None | Some("--list" | "--help")) {
        // A reader that has gone away is no failure of a listing.
        let _ = std::io::stdout().write_all(mode::listing().as_bytes());
        return;
    }
    let code = match mode::select(&arguments) {
        Ok(run) => run(),
        Err(fault) => {
            complain(&fault);
            2
        }
    };
    leave(code)
}

/// One line on stderr, where a server may talk.
fn complain(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Ends the process at once, also while other threads wait.
#[expect(clippy::disallowed_methods, reason = "a fake server ends with the code it was asked for")]
fn leave(code: i32) -> ! {
    std::process::exit(code)
}

/// Waits for ever, as far as a test can tell; the bound keeps a forgotten process from staying.
fn linger() -> ! {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(600);
    while let Some(left) = end.checked_duration_since(std::time::Instant::now()) {
        std::thread::park_timeout(left);
    }
    leave(0)
}
