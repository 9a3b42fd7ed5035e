//! Bytes become lines.

use codewhale_mcp_protocol::{LineScanner, LineTooLong};

/// How much room there is for each read.
const CHUNK: usize = 64 << 10;

/// What was read and not looked at yet.
#[derive(Debug)]
pub(super) struct Input {
    buffer: Vec<u8>,
    /// How much of the buffer holds bytes.
    filled: usize,
    scanner: LineScanner,
    limit: usize,
    /// The rest of a line that is too long is not kept.
    skipping: bool,
}

impl Input {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), filled: 0, scanner: LineScanner::new(limit), limit, skipping: false }
    }

    /// Room for the next read.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.buffer.len() - self.filled < CHUNK / 2 {
            let more = CHUNK.max(self.filled);
            self.buffer.resize(self.filled + more, 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// How much was read and not looked at.
    pub(super) fn unread(&self) -> usize {
        self.filled
    }

    /// So many bytes were read.
    pub(super) fn read(&mut self, count: usize) {
        self.filled += count;
    }

    /// Every line that is whole, until `each` wants no more for now; of one that is too long only that it is. Says whether
    /// all were seen.
    pub(super) fn lines(&mut self, mut each: impl FnMut(Result<&[u8], LineTooLong>) -> bool) -> bool {
        let mut start = 0;
        let mut more = true;
        while more {
            let rest = &self.buffer[start..self.filled];
            if self.skipping {
                let Some(at) = rest.iter().position(|byte| *byte == b'\n') else {
                    start = self.filled;
                    break;
                };
                start += at + 1;
                self.skipping = false;
                self.scanner = LineScanner::new(self.limit);
                continue;
            }
            match self.scanner.next(rest) {
                Ok(Some(length)) => {
                    more = each(Ok(&rest[..length]));
                    start += length;
                }
                Ok(None) => break,
                Err(fault) => {
                    more = each(Err(fault));
                    self.skipping = true;
                }
            }
        }
        self.forget(start);
        more
    }

    /// What is left when nothing more comes: a line without an end.
    pub(super) fn last(&self) -> &[u8] {
        if self.skipping { &[] } else { &self.buffer[..self.filled] }
    }

    fn forget(&mut self, count: usize) {
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
        if self.filled == 0 && self.buffer.len() > 16 * CHUNK {
            self.buffer = Vec::new();
        }
    }
}
