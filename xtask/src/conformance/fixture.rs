//! The server that the suite tests: a process that says where it listens.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What stands before the address, in the first line that it prints.
const LISTENING: &str = "listening on ";

/// A server that runs until this is dropped.
pub(crate) struct Fixture {
    child: Child,
    pub(crate) url: String,
}

impl Fixture {
    /// Starts it on a free port of this machine; what it complains of goes into the file.
    pub(crate) fn start(program: &Path, complaints: &Path) -> Result<Self, String> {
        let cannot = |error: std::io::Error| format!("cannot start {}: {error}", program.display());
        let complaints = File::create(complaints).map_err(cannot)?;
        let mut command = Command::new(program);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(complaints);
        let mut child = command.spawn().map_err(cannot)?;
        let stdout = child.stdout.take().expect("it was asked for");
        // From here on it is stopped whatever happens.
        let mut fixture = Self { child, url: String::new() };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(cannot)?;
        match line.trim_end().strip_prefix(LISTENING) {
            Some(url) => url.clone_into(&mut fixture.url),
            None => return Err(format!("{} does not say where it listens: {line:?}", program.display())),
        }
        Ok(fixture)
    }

    /// Fails if it has ended by itself.
    pub(crate) fn still_there(&mut self) -> Result<(), String> {
        match self.child.try_wait().map_err(|error| format!("cannot look after the server: {error}"))? {
            None => Ok(()),
            Some(status) => Err(format!("the server has ended: {status}")),
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // It holds nothing that has to be saved, and one that is gone is as good as one that was stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
