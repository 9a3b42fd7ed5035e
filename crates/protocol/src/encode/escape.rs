//! Text in quotes (RFC 8259, section 7).

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Appends a text in quotes, with escapes where JSON wants them.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut done = 0;
    while let Some(at) = next_escape(&bytes[done..]) {
        out.extend_from_slice(&bytes[done..done + at]);
        write_escape(bytes[done + at], out);
        done += at + 1;
    }
    out.extend_from_slice(&bytes[done..]);
    out.push(b'"');
}

/// Where the first byte stands that needs an escape.
fn next_escape(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let found = escapes_in(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(8 * number + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| needs_escape(*byte))?;
    Some(8 * words.len() + at)
}

fn needs_escape(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Marks the bytes of a word that need an escape with their highest bit. Above the first one that does, others may be
/// marked as well; none below it is.
fn escapes_in(word: u64) -> u64 {
    let zeros = |word: u64| word.wrapping_sub(LOW) & !word;
    let controls = word.wrapping_sub(LOW * 0x20) & !word;
    let quotes = zeros(word ^ (LOW * u64::from(b'"')));
    let slashes = zeros(word ^ (LOW * u64::from(b'\\')));
    (controls | quotes | slashes) & HIGH
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        _ => {
            let digit = |half: u8| b"0123456789abcdef"[usize::from(half)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xf)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
