//! The codewhale binary: hands the real world to the command line.

use std::ffi::OsStr;
use std::io::Write;
use std::process::ExitCode;

use codewhale_cli::{Exit, GUARD_VERB, VERSION, World, guard, run};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    // Neither needs more than this; everything else would only make them slower.
    if let [_, only] = arguments.as_slice() {
        if only == GUARD_VERB {
            guard(std::io::stdin());
            return ExitCode::SUCCESS;
        }
        if only == OsStr::new("--version") || only == OsStr::new("-V") {
            // A closed pipe is no failure.
            let _ = writeln!(std::io::stdout(), "codewhale {VERSION}");
            return ExitCode::SUCCESS;
        }
    }
    match World::real() {
        Ok(world) => run(arguments, world).into(),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: there is no working directory: {error}");
            Exit::Failed.into()
        }
    }
}
