//! A stream that we write to.

use std::fmt;
use std::io::Write;

/// A stream that we write to.
pub struct Output {
    /// Takes the bytes.
    pub writer: Box<dyn Write + Send>,
    /// What stands behind it.
    pub terminal: Terminal,
}

/// Whether a terminal stands behind a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terminal {
    /// A file, a pipe or nothing.
    No,
    /// A terminal with this many columns.
    Columns(u16),
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("terminal", &self.terminal).finish_non_exhaustive()
    }
}
