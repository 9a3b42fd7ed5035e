//! Lines of a stream, kept within bounds.

use std::io::{self, BufRead};

/// The most bytes of a line that is read to its end.
pub(super) const LONGEST: u64 = 64 << 20;

/// One line has been read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Bytes of it, with its end; more than [`LONGEST`] where it was given up.
    pub(super) bytes: u64,
    /// Whether not all of them were kept.
    pub(super) cut: bool,
}

/// Reads one line, with its end, and appends at most `keep` bytes of it to `kept`. `None` at the end of the stream.
///
/// A line that is cut keeps its end all the same.
pub(super) fn read_line(
    from: &mut impl BufRead,
    keep: usize,
    kept: &mut Vec<u8>,
) -> io::Result<Option<Line>> {
    let begin = kept.len();
    let mut bytes = 0u64;
    let mut cut = false;
    loop {
        let available = from.fill_buf()?;
        if available.is_empty() {
            return Ok((bytes > 0).then_some(Line { bytes, cut }));
        }
        let end = memchr::memchr(b'\n', available);
        let taken = end.map_or(available.len(), |end| end + 1);
        let room = keep - (kept.len() - begin);
        kept.extend_from_slice(&available[..taken.min(room)]);
        cut |= taken > room;
        bytes += taken as u64;
        from.consume(taken);
        if end.is_some() {
            if cut {
                kept.push(b'\n');
            }
            return Ok(Some(Line { bytes, cut }));
        }
        if bytes > LONGEST {
            return Ok(Some(Line { bytes, cut: true }));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn a_line_is_kept_within_its_bound_and_the_next_is_whole() {
        let check = |text: &str, expected: &[(&str, u64, bool)]| {
            let mut reader = BufReader::with_capacity(3, text.as_bytes());
            for (kept, bytes, cut) in expected {
                let mut line = Vec::new();
                let found = read_line(&mut reader, 4, &mut line).unwrap();
                assert_eq!(found, Some(Line { bytes: *bytes, cut: *cut }), "{text:?}");
                assert_eq!(line, kept.as_bytes(), "{text:?}");
            }
            assert_eq!(read_line(&mut reader, 4, &mut Vec::new()).unwrap(), None);
        };
        check("a\nbc", &[("a\n", 2, false), ("bc", 2, false)]);
        check("abcdefg\nh\n", &[("abcd\n", 8, true), ("h\n", 2, false)]);
        check("abc\n\n", &[("abc\n", 4, false), ("\n", 1, false)]);
        check("", &[]);
    }
}
