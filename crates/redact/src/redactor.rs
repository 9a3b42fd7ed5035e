//! Known secrets, hidden in any text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::forms::forms;
use crate::json::map_strings;
use crate::{REDACTED, Secret};

/// A secret shorter than this (in bytes) is not looked for: replacing every `a` of a log would hide the log.
pub const MIN_SECRET_LENGTH: usize = 6;

/// What stands where a text was cut.
const CUT: &str = "…";
/// So much of a secret (in bytes) counts where a text was cut.
const MIN_START: usize = 3;

/// A set of known secrets that are replaced wherever they stand in a text, for logs and the stderr of servers.
///
/// The longest match at a place wins, and matches that overlap are hidden as one. Of a secret of several lines each
/// line counts too, because logs are written by line, and so do the forms that a secret has within JSON and URLs.
/// Before a `…`, which ends a text that was cut, the beginning of a secret is hidden like a whole one.
#[derive(Clone, Default)]
pub struct Redactor {
    /// By their first byte, the longest first.
    secrets: BTreeMap<u8, Vec<String>>,
    /// A bit for each first byte: most bytes of a long text begin nothing.
    starts: [u64; 4],
}

impl Redactor {
    /// Adds one secret; one that is too short (see [`MIN_SECRET_LENGTH`]) or already known changes nothing.
    pub fn insert(&mut self, secret: &Secret<String>) {
        let whole = secret.expose().trim();
        for piece in std::iter::once(whole).chain(whole.lines().map(str::trim)) {
            if piece.len() >= MIN_SECRET_LENGTH {
                self.add(piece.to_owned());
                forms(piece).for_each(|form| self.add(form));
            }
        }
    }

    fn add(&mut self, secret: String) {
        let first = secret.as_bytes()[0];
        self.starts[usize::from(first >> 6)] |= 1 << (first & 63);
        let known = self.secrets.entry(first).or_default();
        if !known.contains(&secret) {
            let at = known.partition_point(|known| known.len() >= secret.len());
            known.insert(at, secret);
        }
    }

    /// The same without some of the secrets, such as those that are words of ours too.
    #[must_use]
    pub fn without(&self, spared: impl Fn(&str) -> bool) -> Self {
        let mut others = self.clone();
        for secrets in others.secrets.values_mut() {
            secrets.retain(|secret| !spared(secret));
        }
        others.secrets.retain(|_, secrets| !secrets.is_empty());
        others
    }

    /// Whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The text with every known secret replaced.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
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

    /// A JSON text with every known secret replaced within its string values. Names of members, numbers, layout and
    /// every other string stay as they are.
    pub fn apply_json<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.is_empty() {
            true => Cow::Borrowed(text),
            false => map_strings(text, |_, value| match self.apply(value) {
                Cow::Borrowed(_) => None,
                Cow::Owned(shown) => Some(shown),
            }),
        }
    }

    /// The end of the longest secret that starts at `at`.
    fn match_at(&self, text: &str, at: usize) -> Option<usize> {
        let rest = &text.as_bytes()[at..];
        if self.starts[usize::from(rest[0] >> 6)] & (1 << (rest[0] & 63)) == 0 {
            return None;
        }
        let known = self.secrets.get(&rest[0])?;
        let whole = known.iter().find(|secret| rest.starts_with(secret.as_bytes()));
        whole
            .map(String::len)
            .or_else(|| known.iter().find_map(|secret| start_of(secret, rest)))
            .map(|length| at + length)
    }
}

/// How much of a secret stands here before the text was cut.
fn start_of(secret: &str, rest: &[u8]) -> Option<usize> {
    let length = secret.bytes().zip(rest).take_while(|(a, b)| a == *b).count();
    (length >= MIN_START && rest[length..].starts_with(CUT.as_bytes())).then_some(length)
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
        let count: usize = self.secrets.values().map(Vec::len).sum();
        f.debug_struct("Redactor").field("secrets", &count).finish()
    }
}
