//! The last lines of a stream, within bounds.

use std::collections::VecDeque;

/// The most lines that are kept.
const LINES: usize = 200;
/// The most bytes that are kept.
const BYTES: usize = 64 * 1024;

/// A ring of lines. Empty, it holds no memory.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Tail {
    /// Keeps a line and lets go of the oldest ones for it.
    pub(super) fn push(&mut self, line: String) {
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.lines.len() > LINES || self.bytes > BYTES {
            self.bytes -= self.lines.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The lines, oldest first.
    pub(crate) fn to_vec(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_stay_within_both_bounds() {
        let mut tail = Tail::default();
        for number in 0..LINES * 2 {
            tail.push(number.to_string());
        }
        assert_eq!(tail.to_vec().len(), LINES);
        assert_eq!(tail.to_vec().last(), Some(&(LINES * 2 - 1).to_string()));
        for _ in 0..100 {
            tail.push("x".repeat(4096));
        }
        assert_eq!(tail.bytes, BYTES);
        assert_eq!(tail.to_vec().len(), BYTES / 4096);
    }
}
