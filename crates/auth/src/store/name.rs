//! What a key is called in a store.

use std::fmt::Write as _;

use ring::digest::{Context, SHA256};

use crate::credentials::Key;

/// As much of a name or an issuer as is shown, in characters. Keyrings limit their names.
const SHOWN: usize = 80;

/// Names a key. A person recognizes it, and it says nothing secret: a URL may have a secret in it and keyrings keep
/// names in the open, so the URL is only hashed.
pub(super) fn name(key: &Key) -> String {
    let (kind, shown) = match key {
        Key::Server { name, .. } => ("server", name),
        Key::Issuer { issuer } => ("issuer", issuer),
    };
    let shown: String = shown.chars().map(plain).take(SHOWN).collect();
    format!("{kind} {shown} {}", hash(key))
}

/// A key's hash, in hexadecimal. Different keys have different ones.
pub(super) fn hash(key: &Key) -> String {
    let parts: [&str; 3] = match key {
        Key::Server { name, url } => ["server", name, url],
        Key::Issuer { issuer } => ["issuer", issuer, ""],
    };
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        context.update(part.as_bytes());
    }
    context.finish().as_ref().iter().fold(String::new(), |mut hexadecimal, byte| {
        let _ = write!(hexadecimal, "{byte:02x}");
        hexadecimal
    })
}

fn plain(c: char) -> char {
    if c.is_ascii_graphic() { c } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(name: &str, url: &str) -> Key {
        Key::Server { name: name.to_owned(), url: url.to_owned() }
    }

    #[test]
    fn a_name_shows_the_server_and_nothing_of_its_url() {
        let named = name(&server("my docs\u{1b}", "https://mcp.example/?key=hunter2"));
        assert!(named.starts_with("server my_docs_ "), "{named}");
        assert!(!named.contains("hunter2") && !named.contains("mcp.example"), "{named}");
        let long = name(&Key::Issuer { issuer: "https://login.example/".repeat(20) });
        assert_eq!(long.len(), "issuer ".len() + SHOWN + 1 + 64);
    }

    #[test]
    fn different_keys_have_different_names() {
        let keys = [
            server("a", "https://x/"),
            server("a", "https://x"),
            server("ah", "ttps://x/"),
            Key::Issuer { issuer: "https://x/".to_owned() },
            Key::Issuer { issuer: "a".to_owned() },
        ];
        let hashes: std::collections::HashSet<String> = keys.iter().map(hash).collect();
        assert_eq!(hashes.len(), keys.len());
        assert_eq!(hash(&server("a", "https://x/")), hash(&keys[0]));
    }
}
