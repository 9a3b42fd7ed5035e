//! Newline-delimited messages: where a line ends, and what belongs to it.

/// Finds lines in a growing buffer, looking at each byte once.
///
/// The caller keeps the buffer, appends what it reads and removes each line after it was found.
#[derive(Debug)]
pub struct LineScanner {
    scanned: usize,
    limit: usize,
}

/// A line has more bytes than it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a message is longer than {limit} bytes")]
pub struct LineTooLong {
    /// The most bytes a line may have, its end apart.
    pub limit: usize,
}

impl LineScanner {
    /// A scanner for lines of at most `limit` bytes, their ends apart.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { scanned: 0, limit }
    }

    /// The length of the first line in `buffer`, its `\n` included, or `None` if its end is not there yet.
    ///
    /// After a line was found the caller removes exactly that many bytes before it asks again.
    ///
    /// # Errors
    /// When the line is too long, whether or not its end is there.
    pub fn next(&mut self, buffer: &[u8]) -> Result<Option<usize>, LineTooLong> {
        let end = memchr::memchr(b'\n', &buffer[self.scanned..]).map(|at| self.scanned + at);
        if end.unwrap_or(buffer.len()) > self.limit {
            return Err(LineTooLong { limit: self.limit });
        }
        self.scanned = if end.is_some() { 0 } else { buffer.len() };
        Ok(end.map(|at| at + 1))
    }
}

/// A line without its end (`\n` or `\r\n`), white space around it and a byte order mark before it.
#[must_use]
pub fn trim_line(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii()
}
