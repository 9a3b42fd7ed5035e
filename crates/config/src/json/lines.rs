//! Turns byte offsets into lines and columns.

/// How often the number of characters is written down, so that a long line does not make every look-up long.
const STRIDE: usize = 1024;

/// The lines of a text. `\n`, `\r\n` and a lone `\r` end a line.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// Offsets at which lines start; the first is 0.
    starts: Vec<usize>,
    /// Characters before each multiple of [`STRIDE`].
    characters: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at + 1);
            }
        }
        let mut characters = vec![0];
        let mut count = 0;
        for chunk in bytes.chunks(STRIDE) {
            count += count_characters(chunk);
            characters.push(count);
        }
        Self { text, starts, characters }
    }

    /// Line and column in characters, both from 1.
    pub(crate) fn position(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        (saturate(line), saturate(column))
    }

    /// The byte range of the line (from 1) that holds `offset`, without its end.
    pub(crate) fn line_of(&self, offset: usize) -> std::ops::Range<usize> {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    fn characters_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let stride = offset / STRIDE;
        self.characters[stride] + count_characters(&self.text.as_bytes()[stride * STRIDE..offset])
    }
}

/// Bytes that begin a character.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
