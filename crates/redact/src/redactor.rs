//! Known secrets, hidden in any text.

use std::borrow::Cow;
use std::fmt;

use crate::{REDACTED, Secret};

/// A secret shorter than this (in bytes) is not looked for: replacing every `a` of a log would hide the log.
pub const MIN_SECRET_LENGTH: usize = 6;

/// A set of known secrets that are replaced wherever they stand in a text, for logs and the stderr of servers.
///
/// The longest match at a place wins, and matches that overlap are hidden as one. Of a secret of several lines each
/// line counts too, because logs are written by line.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Longest first.
    secrets: Vec<String>,
}

impl Redactor {
    /// Adds one secret; one that is too short (see [`MIN_SECRET_LENGTH`]) or already known changes nothing.
    pub fn insert(&mut self, secret: &Secret<String>) {
        let whole = secret.expose().trim();
        for piece in std::iter::once(whole).chain(whole.lines().map(str::trim)) {
            if piece.len() >= MIN_SECRET_LENGTH && !self.secrets.iter().any(|known| known == piece) {
                let at = self.secrets.partition_point(|known| known.len() >= piece.len());
                self.secrets.insert(at, piece.to_owned());
            }
        }
    }

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The text with every known secret replaced.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut shown = String::new();
        let mut copied = 0;
        let mut at = 0;
        while at < text.len() {
            match self.match_at(text, at) {
                None => at += 1,
                Some(mut end) => {
                    let start = at;
                    at += 1;
                    while at < end {
                        end = self.match_at(text, at).map_or(end, |other| other.max(end));
                        at += 1;
                    }
                    shown.push_str(&text[copied..start]);
                    shown.push_str(REDACTED);
                    copied = end;
                }
            }
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        shown.push_str(&text[copied..]);
        Cow::Owned(shown)
    }

    /// The end of the longest secret that starts at `at`.
    fn match_at(&self, text: &str, at: usize) -> Option<usize> {
        let rest = &text.as_bytes()[at..];
        self.secrets.iter().find(|secret| rest.starts_with(secret.as_bytes())).map(|secret| at + secret.len())
    }
}

impl<'s> FromIterator<&'s Secret<String>> for Redactor {
    fn from_iter<I: IntoIterator<Item = &'s Secret<String>>>(secrets: I) -> Self {
        let mut redactor = Self::default();
        redactor.extend(secrets);
        redactor
    }
}

impl<'s> Extend<&'s Secret<String>> for Redactor {
    fn extend<I: IntoIterator<Item = &'s Secret<String>>>(&mut self, secrets: I) {
        secrets.into_iter().for_each(|secret| self.insert(secret));
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("secrets", &self.secrets.len()).finish()
    }
}
