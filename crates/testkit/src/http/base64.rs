//! Base64 as MCP headers have it: the standard alphabet, with padding (RFC 4648, section 4).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// `None` for what is not exactly that.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let padding = bytes.iter().rev().take_while(|byte| **byte == b'=').count();
    if !bytes.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let (mut out, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for byte in &bytes[..bytes.len() - padding] {
        let value = ALPHABET.iter().position(|known| known == byte)?;
        held = held << 6 | u32::try_from(value).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(held >> bits & 0xff).ok()?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn only_padded_standard_base64_is_read() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Pz8/", "???")] {
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in ["Zg", "Zg=", "Z===", "Pz8_", "Zm9v\n"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
