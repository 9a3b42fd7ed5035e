//! What is secret, and where it is seen.

use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::http::HttpRequest;
use crate::http::form::{encoded, read};

/// Parameters of requests and members of answers whose values are secret (RFC 6749, 7009, 7521, 7636, 8628, 8693).
const NAMES: [&str; 13] = [
    "access_token",
    "refresh_token",
    "id_token",
    "token",
    "subject_token",
    "actor_token",
    "code",
    "code_verifier",
    "device_code",
    "assertion",
    "client_assertion",
    "client_secret",
    "registration_access_token",
];

/// So much of a secret in a row is as good as all of it.
const PIECE: usize = 16;

/// What is shorter stands in texts by chance.
const SHORTEST: usize = 8;

/// What has to stay secret: tokens, codes, verifiers, assertions and secrets of clients.
///
/// ```
/// let mut secrets = codewhale_testkit::Secrets::default();
/// secrets.add_form("grant_type=authorization_code&code=0123456789");
/// assert_eq!(secrets.seen_in("the code is 0123456789"), ["code"]);
/// assert!(secrets.seen_in("the code is none of your business").is_empty());
/// ```
#[derive(Default, Clone)]
pub struct Secrets(BTreeMap<String, &'static str>);

impl Secrets {
    /// Those that came to a server.
    #[must_use]
    pub fn of(requests: &[HttpRequest]) -> Secrets {
        let mut secrets = Secrets::default();
        for request in requests {
            if let Some((_, token)) = request.header("authorization").and_then(|value| value.split_once(' '))
            {
                secrets.add("authorization", token);
            }
            if request.header("content-type") == Some("application/x-www-form-urlencoded") {
                secrets.add_form(&String::from_utf8_lossy(&request.body));
            }
        }
        secrets
    }

    /// Those of a form, or of a query.
    pub fn add_form(&mut self, form: &str) {
        for (name, value) in read(form) {
            self.add_named(&name, &value);
        }
    }

    /// Those of a document, at any depth.
    pub fn add_json(&mut self, document: &Value) {
        match document {
            Value::Object(members) => {
                for (name, value) in members {
                    match value.as_str() {
                        Some(text) => self.add_named(name, text),
                        None => self.add_json(value),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.add_json(item)),
            _ => {}
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// What is seen in a text, by its name. A piece of one counts.
    #[must_use]
    pub fn seen_in(&self, text: impl AsRef<[u8]>) -> Vec<&'static str> {
        let text = text.as_ref();
        let pieces: HashSet<&[u8]> = text.windows(PIECE).collect();
        let is_seen = |secret: &[u8]| match secret.len() < PIECE {
            true => text.windows(secret.len()).any(|part| part == secret),
            false => secret.windows(PIECE).any(|piece| pieces.contains(piece)),
        };
        let seen = self
            .0
            .iter()
            .filter(|(secret, _)| is_seen(secret.as_bytes()) || is_seen(encoded(secret).as_bytes()));
        seen.map(|(_, name)| *name).collect()
    }

    /// The files below a folder in which any is seen.
    ///
    /// # Panics
    ///
    /// When one cannot be read.
    #[must_use]
    pub fn files_below(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                found.extend(self.files_below(&path));
            } else if path.is_file()
                && !self.seen_in(std::fs::read(&path).expect("a file can be read")).is_empty()
            {
                found.push(path);
            }
        }
        found.sort();
        found
    }

    fn add_named(&mut self, name: &str, value: &str) {
        if let Some(name) = NAMES.iter().find(|known| **known == name) {
            self.add(name, value);
        }
    }

    fn add(&mut self, name: &'static str, value: &str) {
        if value.len() >= SHORTEST {
            self.0.entry(value.to_owned()).or_insert(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_is_seen_whole_in_pieces_and_encoded() {
        let mut secrets = Secrets::default();
        secrets.add_form("code=a-code%2Bwith%2Fslashes&state=a-state-of-no-secrecy&token=short");
        secrets.add_json(&json!({"a": [{"access_token": "0123456789abcdefghij", "code": -32601}]}));
        assert_eq!(secrets.count(), 2);
        let check = |text: &str, seen: &[&str]| assert_eq!(secrets.seen_in(text), seen, "{text}");
        check("x a-code+with/slashes", &["code"]);
        check("?code=a-code%2Bwith%2Fslashes", &["code"]);
        check("0123456789abcdefghij", &["access_token"]);
        check("token 456789abcdefghij…", &["access_token"]);
        check("token 0123456789abcde…", &[]);
        check("a-state-of-no-secrecy short", &[]);
    }
}
