//! The lines of the input, read by a thread of its own: a read of standard input blocks.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

/// The longest line.
const LIMIT: u64 = 64 * 1024 * 1024;

/// How many lines wait to be looked at.
const WAITING: usize = 64;

/// How many bytes of them, save that one line may be longer.
const ROOM: usize = 8 << 20;

/// A line of the input, or what came in the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Its bytes, the end of the line apart.
    Whole(Vec<u8>),
    /// It was longer than may be and has been left out.
    TooLong,
    /// The input cannot be read any more, for this reason.
    Broken(String),
}

impl Line {
    fn bytes(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::TooLong => 0,
            Self::Broken(why) => why.len(),
        }
    }
}

/// The lines of an input.
#[derive(Debug)]
pub(crate) struct Lines {
    lines: mpsc::Receiver<Line>,
    /// Where they are read here.
    waiting: Option<Arc<Waiting>>,
}

impl Lines {
    /// Lines that somebody else reads.
    pub(crate) fn of(lines: mpsc::Receiver<Line>) -> Self {
        Self { lines, waiting: None }
    }

    /// The next line; `None` when the input has ended.
    pub(crate) async fn next(&mut self) -> Option<Line> {
        let line = self.lines.recv().await?;
        if let Some(waiting) = &self.waiting {
            waiting.change(|state| state.bytes -= line.bytes());
        }
        Some(line)
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if let Some(waiting) = &self.waiting {
            waiting.change(|state| state.left = true);
        }
    }
}

/// How much waits to be looked at.
#[derive(Debug, Default)]
struct Waiting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: usize,
    /// Nobody looks any more.
    left: bool,
}

impl Waiting {
    /// Waits for room for a line, and takes it.
    fn take_room(&self, bytes: usize) {
        let full =
            |state: &mut State| state.bytes > 0 && state.bytes.saturating_add(bytes) > ROOM && !state.left;
        let state = self.changed.wait_while(self.lock(), full);
        state.unwrap_or_else(PoisonError::into_inner).bytes += bytes;
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads lines until the input ends. Empty ones are left out. Where many wait to be looked at, no more are read.
///
/// # Errors
/// When there can be no thread.
pub(crate) fn read_lines(input: Box<dyn Read + Send>) -> std::io::Result<Lines> {
    let (sender, lines) = mpsc::channel(WAITING);
    let waiting = Arc::new(Waiting::default());
    let theirs = waiting.clone();
    let read = move || {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        while let Some(line) = next(&mut input) {
            let broken = matches!(line, Line::Broken(_));
            if matches!(&line, Line::Whole(bytes) if bytes.trim_ascii().is_empty()) {
                continue;
            }
            theirs.take_room(line.bytes());
            if sender.blocking_send(line).is_err() || broken {
                break;
            }
        }
    };
    std::thread::Builder::new().name("input".into()).spawn(read)?;
    Ok(Lines { lines, waiting: Some(waiting) })
}

fn next(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    match input.by_ref().take(LIMIT).read_until(b'\n', &mut line) {
        Ok(0) => None,
        Ok(_) if line.ends_with(b"\n") => {
            line.pop();
            Some(Line::Whole(line))
        }
        Ok(read) if read as u64 == LIMIT => match skip(input) {
            Ok(()) => Some(Line::TooLong),
            Err(error) => Some(Line::Broken(error.to_string())),
        },
        // The last line of an input that does not end with one.
        Ok(_) => Some(Line::Whole(line)),
        Err(error) => Some(Line::Broken(error.to_string())),
    }
}

/// Reads up to the end of the line.
fn skip(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let read = end.map_or(buffer.len(), |at| at + 1);
        input.consume(read);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Lines of a mebibyte, and how many bytes of them were read.
    struct Long(Arc<Waiting>, usize);

    const LINE: usize = 1 << 20;

    impl Read for Long {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(LINE - self.1 % LINE).min(40 * LINE - self.1);
            buffer[..count].fill(b'x');
            self.1 += count;
            if count > 0 && self.1.is_multiple_of(LINE) {
                buffer[count - 1] = b'\n';
            }
            self.0.change(|state| state.bytes = self.1);
            Ok(count)
        }
    }

    #[tokio::test]
    async fn what_waits_to_be_looked_at_has_room_for_some_mebibytes() {
        let read = Arc::new(Waiting::default());
        let mut lines = read_lines(Box::new(Long(read.clone(), 0))).unwrap();
        for taken in 0..40 {
            // There is a line more than there is room for, and nothing behind it.
            let enough = |state: &mut State| state.bytes < (taken + 8).min(40) * LINE;
            let bytes = read.changed.wait_while(read.lock(), enough).unwrap().bytes;
            assert!(bytes <= (taken + 9) * LINE + 64 * 1024, "{taken}: {bytes}");
            assert_eq!(lines.next().await, Some(Line::Whole(vec![b'x'; LINE - 1])));
        }
        assert_eq!(lines.next().await, None);
    }
}
