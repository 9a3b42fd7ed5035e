//! How far a text needs no second look: up to what ends a JSON string or is escaped in one.
//!
//! Thirty-two bytes at once where the text is long, in a form that compilers turn into vector instructions; eight where
//! the end is near, since most strings are short.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether there is no quote, no backslash and no control character, which is found out quicker than how many bytes come
/// before the first. Where the length is no multiple, some bytes are looked at twice.
#[inline]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<32>() {
        let (chunks, _) = bytes.as_chunks::<32>();
        return !chunks.iter().any(has_special) && !has_special(last);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let (middle, _) = bytes[8..].as_chunks::<8>();
        let word = |word: &[u8; 8]| specials_in(u64::from_le_bytes(*word));
        return middle.iter().fold(word(first) | word(last), |found, chunk| found | word(chunk)) == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
        return specials_in(first | last << 32) == 0;
    }
    !bytes.iter().any(|byte| is_special(*byte))
}

/// How many bytes come before the first quote, backslash or control character (RFC 8259, section 7); all of them where
/// there is none.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> usize {
    let Some((word, _)) = bytes.split_first_chunk::<8>() else { return plain_by_one(bytes) };
    match specials_in(u64::from_le_bytes(*word)) {
        0 => plain_beyond(bytes),
        found => found.trailing_zeros() as usize / 8,
    }
}

/// The same where the first eight are plain.
#[inline(never)]
fn plain_beyond(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes[8..].as_chunks::<32>();
    let before = 8 + 32 * chunks.iter().position(has_special).unwrap_or(chunks.len());
    let (words, rest) = bytes[before..].as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let found = specials_in(u64::from_le_bytes(*word));
        if found != 0 {
            return before + 8 * number + found.trailing_zeros() as usize / 8;
        }
    }
    before + 8 * words.len() + plain_by_one(rest)
}

fn has_special(chunk: &[u8; 32]) -> bool {
    chunk.iter().fold(false, |any, byte| any | is_special(*byte))
}

fn plain_by_one(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_special(*byte)).unwrap_or(bytes.len())
}

/// With this bit turned the quote is the first after the control characters, so that one comparison finds both.
const TURNED: u8 = 2;
const AFTER: u8 = (b'"' ^ TURNED) + 1;

/// Whether a byte is a quote, a backslash or a control character.
#[inline]
pub(crate) fn is_special(byte: u8) -> bool {
    (byte ^ TURNED < AFTER) | (byte == b'\\')
}

/// Marks the special bytes of a word with their highest bit, and no others.
#[inline]
pub(crate) fn specials_in(word: u64) -> u64 {
    let all = |byte: u8| LOW * u64::from(byte);
    // Marks the bytes that are `least` or more. What is added reaches the highest bit of a byte and never the next byte.
    let from = |least: u8, word: u64| ((word & !HIGH) + all(0x80 - least)) | word;
    !(from(AFTER, word ^ all(TURNED)) & from(1, word ^ all(b'\\'))) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_plain, is_special, plain, specials_in};

    #[test]
    fn each_byte_is_marked_by_itself() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for other in [b'a', b'"', 0, b'!', 0x80, 0xff] {
                    let mut word = [other; 8];
                    word[place] = byte;
                    let marks = word.map(|byte| if is_special(byte) { 0x80 } else { 0 });
                    assert_eq!(specials_in(u64::from_le_bytes(word)), u64::from_le_bytes(marks), "{word:x?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn it_stops_where_looking_at_each_byte_stops(
            mut bytes in prop::collection::vec(prop_oneof![32..=255_u8, Just(b'a')], 0..200),
            special in 0..=255_u8,
            at in any::<prop::sample::Index>(),
        ) {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = special;
            }
            let naive = bytes.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\'));
            prop_assert_eq!(plain(&bytes), naive.unwrap_or(bytes.len()));
            prop_assert_eq!(is_plain(&bytes), naive.is_none());
        }
    }
}
