//! The beginning and the end of what was written.

use std::collections::VecDeque;

/// The most bytes that are kept of the beginning, and of the end.
const HEAD: usize = 32 * 1024;
const TAIL: usize = 32 * 1024;

/// What a command wrote: the whole of it, or its beginning and its end.
#[derive(Debug, Default)]
pub(super) struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// All bytes that came.
    pub(super) bytes: u64,
}

impl Output {
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(TAIL);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// The bytes between beginning and end that are not there.
    pub(super) fn omitted(&self) -> u64 {
        self.bytes - (self.head.len() + self.tail.len()) as u64
    }

    /// The last line that has something in it, at most `longest` bytes of it.
    pub(super) fn last_line(&self, longest: usize) -> String {
        let mut end: Vec<u8> = self.head.iter().chain(&self.tail).rev().take(4 * longest).copied().collect();
        end.reverse();
        let text = String::from_utf8_lossy(&end);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        line[..line.floor_char_boundary(longest)].to_owned()
    }

    /// The text, with a line that says how much is missing.
    pub(super) fn text(&mut self) -> String {
        let omitted = self.omitted();
        if omitted == 0 {
            self.head.extend(self.tail.drain(..));
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        // Neither end begins or stops within a character.
        while self.tail.front().is_some_and(|byte| byte & 0xc0 == 0x80) {
            self.tail.pop_front();
        }
        let begun = self.head.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len());
        let head = &self.head[..self.head.len() - begun];
        let (head, tail) = (String::from_utf8_lossy(head), self.tail.make_contiguous());
        format!("{head}\n[… {omitted} bytes are left out here …]\n{}", String::from_utf8_lossy(tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_whole() {
        let mut output = Output::default();
        for byte in "one\nzwei é\n\n".bytes() {
            output.take(&[byte]);
        }
        assert_eq!(output.last_line(80), "zwei é");
        assert_eq!(output.last_line(3), "zwe");
        assert_eq!((output.text(), output.omitted()), ("one\nzwei é\n\n".to_owned(), 0));
    }

    #[test]
    fn beginning_and_end_of_what_is_long_are_kept_in_any_chunking() {
        let written: String = (0..40_000).map(|number| format!("{number} é\n")).collect();
        let mut texts = [1, 7, 4096, 1 << 20].map(|size| {
            let mut output = Output::default();
            written.as_bytes().chunks(size).for_each(|chunk| output.take(chunk));
            assert_eq!(output.bytes, written.len() as u64);
            assert_eq!(output.omitted(), output.bytes - (HEAD + TAIL) as u64);
            output.text()
        });
        assert!(texts[0].starts_with("0 é\n1 é\n") && texts[0].ends_with("39999 é\n"));
        assert!(!texts[0].contains('\u{fffd}'));
        texts.sort();
        assert_eq!(texts[0], texts[3]);
    }
}
