//! The last lines of a log, and those that come.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use codewhale_mcp_redact::safe_line;
use thiserror::Error;

use super::append::old;
use super::writer::Logs;

/// The most bytes that are read of one file; a log that we write is smaller.
const WINDOW: u64 = 4 << 20;
/// How often a log is looked at that is followed.
const PAUSE: Duration = Duration::from_millis(200);

/// A log could not be read.
#[derive(Debug, Error)]
#[error("cannot read `{}`", path.display())]
pub struct LogError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl Logs {
    /// The last lines of a server's log, oldest first; none if the server has never run. Blocks on the disk.
    pub fn tail(&self, server: &str, lines: usize) -> Result<Vec<String>, LogError> {
        Ok(tail(&self.path(server), lines)?.0)
    }

    /// The last lines of a server's log, and then those that come.
    #[must_use]
    pub fn follow(&self, server: &str, lines: usize) -> Follow {
        Follow { path: self.path(server), first: Some(lines), at: Position::default(), part: Vec::new() }
    }
}

/// A log that is being followed, also while it is put aside and begun anew.
#[derive(Debug)]
pub struct Follow {
    path: PathBuf,
    /// How many old lines are still wanted.
    first: Option<usize>,
    at: Position,
    /// The beginning of a line whose end has not been written yet.
    part: Vec<u8>,
}

/// How far a file has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Position {
    file: Option<u64>,
    bytes: u64,
}

impl Follow {
    /// The lines that were not given yet, at least one; waits for it. May be dropped while it waits.
    pub async fn next(&mut self) -> Result<Vec<String>, LogError> {
        loop {
            let lines = self.ready()?;
            if !lines.is_empty() {
                return Ok(lines);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The lines that are there already and were not given yet. Blocks on the disk.
    pub fn ready(&mut self) -> Result<Vec<String>, LogError> {
        if let Some(lines) = self.first.take() {
            let (lines, at) = tail(&self.path, lines)?;
            self.at = at;
            return Ok(lines);
        }
        let failed = |source| LogError { path: self.path.clone(), source };
        let Some((file, metadata)) = open(&self.path).map_err(failed)? else { return Ok(Vec::new()) };
        let mut bytes = std::mem::take(&mut self.part);
        let here = identity(&metadata);
        if here != self.at.file || metadata.len() < self.at.bytes {
            // Put aside: its last lines stand in the old file now.
            let aside = open(&old(&self.path)).map_err(failed)?;
            if let Some((aside, metadata)) = aside
                && identity(&metadata) == self.at.file
            {
                read_from(aside, self.at.bytes, &mut bytes).map_err(failed)?;
            }
            self.at = Position { file: here, bytes: 0 };
        }
        self.at.bytes += read_from(file, self.at.bytes, &mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.part = bytes.split_off(whole);
        Ok(lines_of(&bytes))
    }
}

/// The last lines of a log and its old part, and where the log ended.
fn tail(path: &Path, wanted: usize) -> Result<(Vec<String>, Position), LogError> {
    let failed = |source| LogError { path: path.to_owned(), source };
    let mut at = Position::default();
    let mut lines = Vec::new();
    if let Some((file, metadata)) = open(path).map_err(failed)? {
        let (found, bytes) = last_lines(file, &metadata).map_err(failed)?;
        lines = found;
        at = Position { file: identity(&metadata), bytes };
    }
    if lines.len() < wanted
        && let Some((file, metadata)) = open(&old(path)).map_err(failed)?
    {
        let (mut older, _) = last_lines(file, &metadata).map_err(failed)?;
        older.append(&mut lines);
        lines = older;
    }
    lines.drain(..lines.len().saturating_sub(wanted));
    Ok((lines, at))
}

/// The whole lines at the end of a file, and where the last one ends.
fn last_lines(file: File, metadata: &Metadata) -> io::Result<(Vec<String>, u64)> {
    let start = metadata.len().saturating_sub(WINDOW);
    let mut bytes = Vec::new();
    read_from(file, start, &mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    bytes.truncate(whole);
    let end = start + bytes.len() as u64;
    let cut = match start {
        0 => 0,
        _ => bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1),
    };
    Ok((lines_of(&bytes[cut..]), end))
}

/// What we wrote is safe to print; somebody else may have written too.
fn lines_of(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(|line| safe_line(line).into_owned()).collect()
}

fn read_from(mut file: File, start: u64, bytes: &mut Vec<u8>) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    Ok(file.take(WINDOW).read_to_end(bytes)? as u64)
}

fn open(path: &Path) -> io::Result<Option<(File, Metadata)>> {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    match File::open(path) {
        Ok(file) => file.metadata().map(|metadata| Some((file, metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

/// Without it, a log that was put aside shows itself by being shorter.
#[cfg(not(unix))]
fn identity(_metadata: &Metadata) -> Option<u64> {
    None
}
