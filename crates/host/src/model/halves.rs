//! Texts in pieces: a character may be split between two of them, as the two halves of a surrogate pair.

use std::fmt;

use codewhale_mcp_protocol::Json;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// What a piece ended with that is half a character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Halves(Option<u16>);

impl Halves {
    /// The text of a piece, with what the one before left over. A half without the other becomes U+FFFD.
    pub(super) fn join(&mut self, piece: Wtf8) -> String {
        let piece = match String::from_utf8(piece.0) {
            Ok(text) if self.0.is_none() || text.is_empty() => return text,
            Ok(text) => text.into_bytes(),
            Err(odd) => odd.into_bytes(),
        };
        let mut units: Vec<u16> = self.0.take().into_iter().collect();
        push_units(&piece, &mut units);
        self.0 = units.pop_if(|last| matches!(last, 0xD800..=0xDBFF));
        String::from_utf16_lossy(&units)
    }

    /// What stands for a half that nothing followed.
    pub(super) fn rest(self) -> &'static str {
        if self.0.is_some() { "\u{fffd}" } else { "" }
    }
}

fn push_units(mut rest: &[u8], units: &mut Vec<u16>) {
    loop {
        let sound = match std::str::from_utf8(rest) {
            Ok(text) => return units.extend(text.encode_utf16()),
            Err(error) => error.valid_up_to(),
        };
        let (sound, odd) = rest.split_at(sound);
        units.extend(String::from_utf8_lossy(sound).encode_utf16());
        rest = match odd {
            [0xED, high @ 0xA0..=0xBF, low, rest @ ..] => {
                units.push(0xD000 | u16::from(high & 0x3F) << 6 | u16::from(low & 0x3F));
                rest
            }
            _ => {
                units.push(0xFFFD);
                &odd[1..]
            }
        };
    }
}

/// A text in which halves of pairs may stand alone (WTF-8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wtf8(Vec<u8>);

impl Wtf8 {
    /// A JSON string, or the texts of an array of parts; `None` for anything else.
    pub(super) fn read(json: &Json) -> Option<Self> {
        serde_json::from_str(json.as_str()).ok()
    }
}

impl From<String> for Wtf8 {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl<'de> Deserialize<'de> for Wtf8 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Wtf8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Wtf8, E> {
        Ok(Wtf8(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Wtf8, A::Error> {
        #[derive(serde::Deserialize)]
        struct Part {
            text: Option<Json>,
        }
        let mut all = Wtf8::default();
        while let Some(part) = parts.next_element::<Part>()? {
            all.0.extend(part.text.as_ref().and_then(Wtf8::read).unwrap_or_default().0);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Wtf8 {
        Wtf8::read(&Json::from_text(json).unwrap()).unwrap()
    }

    #[test]
    fn halves_of_a_character_become_one_again() {
        let rows: [(&[&str], &str); 8] = [
            (&[r#""grün""#], "grün"),
            (&[r#""\ud83d\ude00""#], "😀"),
            (&[r#""a\ud83d""#, r#""\ude00b""#], "a😀b"),
            (&[r#""a\ud83d""#, r#""""#, r#""\ude00b""#], "a😀b"),
            (&[r#""a\ud83d""#, r#""b""#], "a\u{fffd}b"),
            (&[r#""\ude00""#], "\u{fffd}"),
            (&[r#""\ud83d""#], "\u{fffd}"),
            (&[r#"[{"type": "text", "text": "a\ud83d"}, {"type": "image"}, {"text": "\ude00"}]"#], "a😀"),
        ];
        for (pieces, whole) in rows {
            let mut halves = Halves::default();
            let mut text: String = pieces.iter().map(|piece| halves.join(read(piece))).collect();
            text.push_str(halves.rest());
            assert_eq!(text, whole, "{pieces:?}");
        }
        assert_eq!(Wtf8::read(&Json::from_text("5").unwrap()), None);
    }
}
