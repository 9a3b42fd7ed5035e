//! `cargo xtask fake MODE`: a fake server on this terminal.

use crate::run::{cargo, succeed};

/// Runs the fake server with these arguments, its streams being ours.
pub(crate) fn fake(arguments: &[String]) -> Result<(), String> {
    let mut command =
        cargo(&["run", "--quiet", "--package", "codewhale-testkit", "--bin", "codewhale-fake", "--"]);
    command.args(arguments).stdin(std::process::Stdio::inherit());
    succeed(command)
}
