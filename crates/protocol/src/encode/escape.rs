//! Text in quotes (RFC 8259, section 7).

use crate::scan::{is_plain, is_special, plain, specials_in};

/// Room for the quotes and for what ends the message, so that a long text is not moved once more for its sake.
const BEHIND: usize = 64;

/// Appends a text in quotes, with escapes where JSON wants them.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + BEHIND);
    out.push(b'"');
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else {
        write_escaped(bytes, out);
    }
    out.push(b'"');
}

/// Appends the name of a member and a colon. Names are known when this is compiled, and so is then what is found out here
/// about them.
#[inline(always)]
pub(super) fn write_name(name: &'static str, out: &mut Vec<u8>) {
    if name.bytes().any(is_special) {
        write_text(name, out);
        out.push(b':');
    } else {
        out.reserve(name.len() + BEHIND);
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
    }
}

/// Where one escape is, others are near: word by word, until there is a word without one.
#[inline(never)]
fn write_escaped(mut bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len() + bytes.len() / 4);
    while let Some((word, rest)) = bytes.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let specials = specials_in(word);
        if specials == 0 {
            let (before, rest) = bytes.split_at(plain(bytes));
            out.extend_from_slice(before);
            bytes = rest;
        } else {
            write_word(word, specials, out);
            bytes = rest;
        }
    }
    for byte in bytes {
        write_byte(*byte, out);
    }
}

/// Eight bytes, of which at least one needs an escape.
fn write_word(mut word: u64, mut specials: u64, out: &mut Vec<u8>) {
    let mut left = 8;
    while specials != 0 {
        let before = specials.trailing_zeros() as usize / 8;
        write_first(word, before, out);
        // Two steps, since all of it may have been the last one.
        word >>= 8 * before;
        write_escape(word as u8, out);
        word >>= 8;
        specials = (specials >> (8 * before)) >> 8;
        left -= before + 1;
    }
    write_first(word, left, out);
}

/// The first bytes of a word. To copy all and forget the others is quicker than to copy so many.
fn write_first(word: u64, count: usize, out: &mut Vec<u8>) {
    let end = out.len() + count;
    out.extend_from_slice(&word.to_le_bytes());
    out.truncate(end);
}

fn write_byte(byte: u8, out: &mut Vec<u8>) {
    if is_special(byte) {
        write_escape(byte, out);
    } else {
        out.push(byte);
    }
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
