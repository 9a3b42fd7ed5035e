//! Strings with escapes in them (RFC 8259, section 7).

use super::cursor::Other;
use crate::scan::{plain, specials_in};

/// The string that `text` begins with, behind its opening quote, and how many bytes it has there, its end included.
/// The first `before` of them are plain.
#[inline(never)]
pub(super) fn unescaped(text: &str, before: usize) -> Result<(String, usize), Other> {
    let bytes = text.as_bytes();
    let mut string = Vec::with_capacity(bytes.len().min(before + 64));
    string.extend_from_slice(&bytes[..before]);
    let mut at = before;
    loop {
        let rest = &bytes[at..];
        match rest.first_chunk::<8>().map(|word| u64::from_le_bytes(*word)) {
            // Where one escape is, others are near.
            Some(word) if specials_in(word) != 0 => {
                let count = specials_in(word).trailing_zeros() as usize / 8;
                let end = string.len() + count;
                // To copy all and forget the others is quicker than to copy so many.
                string.extend_from_slice(&word.to_le_bytes());
                string.truncate(end);
                at += count;
            }
            _ => {
                let count = plain(rest);
                string.extend_from_slice(&rest[..count]);
                at += count;
            }
        }
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => {
                let (unit, length) = escaped(&bytes[at..])?;
                at += length;
                at += push(unit, &bytes[at..], &mut string)?;
            }
            _ => return Err(Other),
        }
    }
    if string.capacity() - string.len() > string.len() / 4 {
        string.shrink_to_fit();
    }
    // Whole characters were copied, so it is.
    let string = String::from_utf8(string).map_err(|_| Other)?;
    Ok((string, at + 1))
}

/// What the escape says that `bytes` begin with, and how many bytes it has.
#[inline]
pub(super) fn escaped(bytes: &[u8]) -> Result<(u16, usize), Other> {
    let byte = match bytes.get(1) {
        Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
        Some(b'b') => 0x08,
        Some(b't') => 0x09,
        Some(b'n') => 0x0a,
        Some(b'f') => 0x0c,
        Some(b'r') => 0x0d,
        Some(b'u') => return Ok((unit(bytes)?, UNIT)),
        _ => return Err(Other),
    };
    Ok((byte.into(), 2))
}

/// The bytes of `\uXXXX`.
const UNIT: usize = 6;

/// The number in the `\uXXXX` that `bytes` begin with.
fn unit(bytes: &[u8]) -> Result<u16, Other> {
    let [b'\\', b'u', digits @ ..] = bytes.first_chunk::<UNIT>().ok_or(Other)? else { return Err(Other) };
    digits.iter().try_fold(0, |number, digit| {
        let digit = char::from(*digit).to_digit(16).ok_or(Other)?;
        Ok(number << 4 | digit as u16)
    })
}

/// Appends a character, and says how many bytes of what comes next were its second half.
fn push(unit: u16, next: &[u8], string: &mut Vec<u8>) -> Result<usize, Other> {
    if unit < 0x80 {
        string.push(unit as u8);
        return Ok(0);
    }
    let (character, more) = match char::from_u32(unit.into()) {
        Some(character) => (character, 0),
        None => {
            let halves = [unit, self::unit(next)?];
            let character = char::decode_utf16(halves).next().and_then(Result::ok).ok_or(Other)?;
            (character, UNIT)
        }
    };
    string.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(more)
}
