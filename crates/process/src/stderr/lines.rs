//! Cuts a byte stream into lines of bounded length.

/// The longest line that is kept, in bytes; the rest of a longer one is dropped.
pub(super) const LINE_CAP: usize = 4096;
/// Ends a line that was cut.
const CUT: char = '…';

/// The line that has not ended yet.
#[derive(Debug, Default)]
pub(super) struct Lines {
    begun: Vec<u8>,
    cut: bool,
}

impl Lines {
    /// Takes the next bytes and hands each line that they end to `emit`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut emit: impl FnMut(String)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.take(&bytes[..end]);
            bytes = &bytes[end + 1..];
            emit(self.end());
        }
        self.take(bytes);
    }

    /// Hands over what has begun, if anything has.
    pub(super) fn flush(&mut self, mut emit: impl FnMut(String)) {
        if !self.begun.is_empty() {
            emit(self.end());
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = LINE_CAP - self.begun.len();
        self.cut |= bytes.len() > room;
        self.begun.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end(&mut self) -> String {
        let mut line = std::mem::take(&mut self.begun);
        let cut = std::mem::take(&mut self.cut);
        if !cut && line.last() == Some(&b'\r') {
            line.pop();
        }
        let mut line = String::from_utf8(line)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned());
        if cut {
            line.push(CUT);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(chunks: &[&[u8]], expected: &[&str]) {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for chunk in chunks {
            lines.feed(chunk, |line| seen.push(line));
        }
        lines.flush(|line| seen.push(line));
        assert_eq!(seen, expected);
    }

    #[test]
    fn lines_come_whole_from_any_chunking() {
        check(&[b"one\ntwo\r\n\nlast"], &["one", "two", "", "last"]);
        check(&[b"o", b"ne\nt", b"wo\r", b"\n"], &["one", "two"]);
        check(&["\u{20ac}".as_bytes().split_at(1).0, "\u{20ac}".as_bytes().split_at(1).1], &["\u{20ac}"]);
        check(&[b"bad \xff end\n"], &["bad \u{fffd} end"]);
        check(&[], &[]);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_is_whole() {
        let long = vec![b'x'; LINE_CAP * 3];
        let kept = format!("{}{CUT}", "x".repeat(LINE_CAP));
        check(&[&long, &long, b"\nnext\n"], &[&kept, "next"]);
        check(&[&long[..LINE_CAP], b"\n"], &[&"x".repeat(LINE_CAP)]);
    }
}
