//! How many system calls a program makes, its children apart.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::output;

/// System calls of all threads from the program's start to its end.
pub(super) fn system_calls(program: &Path, arguments: &[String]) -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let mut command = Command::new("strace");
    // A file for each thread; a child that runs another program is let go, so that it is as fast as ever.
    command.args(["-ff", "-qq", "-b", "execve", "-e", "signal=none", "-o"]).arg(folder.path().join("trace"));
    command.arg(program).args(arguments);
    output(command)?;
    let mut count = 0;
    for entry in fs::read_dir(folder.path()).map_err(|fault| fault.to_string())? {
        let path = entry.map_err(|fault| fault.to_string())?.path();
        let trace = fs::read(&path).map_err(|fault| fault.to_string())?;
        count += trace.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64;
    }
    Ok(count)
}
