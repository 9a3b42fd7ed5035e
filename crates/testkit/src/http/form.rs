//! `application/x-www-form-urlencoded`, as queries and bodies have it.

use std::collections::HashMap;

/// The fields of a query or a body. Of two with one name the last counts.
pub(crate) fn read(text: &str) -> HashMap<String, String> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut left) = (Vec::new(), text.bytes());
    while let Some(byte) = left.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits: Vec<u8> = left.by_ref().take(2).collect();
                let digits = String::from_utf8_lossy(&digits).into_owned();
                u8::from_str_radix(&digits, 16).unwrap_or(b'%')
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A value as it stands in a query.
pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_read_again() {
        let text = "a b&c=d/é+%";
        let fields = read(&format!("x={}&y=1+2&z", encoded(text)));
        assert_eq!((&*fields["x"], &*fields["y"], &*fields["z"]), (text, "1 2", ""));
    }
}
