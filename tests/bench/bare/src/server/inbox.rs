//! What was read and not yet used.

use std::io::{self, Read};

/// There is room for so much at each read.
const ROOM: usize = 64 << 10;

/// A buffer that is filled at its end and used at its beginning.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    filled: usize,
}

impl Inbox {
    /// Reads once; zero is the end.
    pub(super) fn fill(&mut self, mut from: impl Read) -> io::Result<usize> {
        if self.bytes.len() - self.filled < ROOM {
            self.bytes.resize((self.filled * 2).max(self.filled + ROOM), 0);
        }
        let count = from.read(&mut self.bytes[self.filled..])?;
        self.filled += count;
        Ok(count)
    }

    /// What is there.
    pub(super) fn unused(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// The first bytes are done with.
    pub(super) fn used(&mut self, count: usize) {
        self.bytes.copy_within(count..self.filled, 0);
        self.filled -= count;
    }
}
