//! A server that was started.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::frames::{INITIALIZE, INITIALIZED};
use crate::sys::find;

/// What the end of a line is kept of.
const TAIL: usize = 96;

pub(super) struct Server {
    process: Child,
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
}

impl Server {
    #[expect(clippy::disallowed_methods, reason = "nothing of ours may be below the floor")]
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().expect("it was asked for");
        let output = process.stdout.take().expect("it was asked for");
        Ok(Self { process, input, output })
    }

    pub(super) fn connect(command: &[String], buffer: &mut [u8]) -> io::Result<Self> {
        let mut server = Self::start(command)?;
        server.input.write_all(INITIALIZE.as_bytes())?;
        server.read_line(buffer)?;
        server.input.write_all(INITIALIZED.as_bytes())?;
        Ok(server)
    }

    /// Reads up to the end of a line; nothing is expected behind it.
    pub(super) fn read_line(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        while find(self.read(buffer)?, b'\n').is_none() {}
        Ok(())
    }

    /// As [`Self::read_line`], and gives the line's last bytes.
    pub(super) fn read_tail(&mut self, buffer: &mut [u8]) -> io::Result<Vec<u8>> {
        let mut tail = Vec::new();
        loop {
            let bytes = self.read(buffer)?;
            tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
            if tail.ends_with(b"\n") {
                return Ok(tail);
            }
        }
    }

    fn read<'a>(&mut self, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
        match self.output.read(buffer)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            count => Ok(&buffer[..count]),
        }
    }

    /// What its threads have used of the CPU; of one that has ended nothing is known any more.
    pub(super) fn cpu(&self) -> Duration {
        let threads =
            fs::read_dir(format!("/proc/{}/task", self.process.id())).into_iter().flatten().flatten();
        let spent = threads.filter_map(|thread| {
            let told = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            told.split_whitespace().next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(spent.sum())
    }

    /// Closes its input and waits for its end.
    pub(super) fn finish(self) -> io::Result<()> {
        let Self { mut process, input, output } = self;
        drop((input, output));
        process.wait().map(drop)
    }
}
