//! The codewhale binary: hands the real world to the command line.
#![expect(clippy::disallowed_methods, reason = "the one place that touches the real environment")]

use std::io;
use std::process::ExitCode;

use codewhale_cli::{GUARD_VERB, World, guard, run};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() == 2 && arguments[1] == GUARD_VERB {
        guard(io::stdin());
        return ExitCode::SUCCESS;
    }
    let (mut stdout, mut stderr) = (io::BufWriter::new(io::stdout()), io::stderr());
    let mut world = World {
        environment: std::env::vars_os().collect(),
        program: std::env::current_exe().ok(),
        ..World::closed(&mut stdout, &mut stderr)
    };
    ExitCode::from(run(arguments, &mut world).code())
}
