//! Someone who answers questions.

use std::io::{self, BufRead, BufReader, Read};

/// Someone at a terminal who answers questions. The question itself is printed by the program.
pub trait Person: Send {
    /// Waits for one line; `None` when there will be no more.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    fn answer(&mut self) -> io::Result<Option<String>>;
}

/// Whoever feeds a stream: each line is an answer.
pub(crate) fn piped(stream: Box<dyn Read + Send>) -> Box<dyn Person> {
    Box::new(AtTheOtherEnd(BufReader::new(stream)))
}

/// The most bytes of a line that is fed.
const LONGEST: u64 = 64 << 10;

struct AtTheOtherEnd(BufReader<Box<dyn Read + Send>>);

impl Person for AtTheOtherEnd {
    fn answer(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.0.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

/// Whoever sits at the terminal behind our standard input.
pub(super) struct AtTheTerminal;

impl Person for AtTheTerminal {
    fn answer(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }
}
