//! One line of a log, safe to print.

use std::borrow::Cow;
use std::fmt;
use std::time::SystemTime;

use codewhale_mcp_redact::{Redactor, safe_line};

use crate::instant::rfc3339;

/// The most bytes of a text that are kept; a log message may be of any length.
const LONGEST: usize = 8 * 1024;

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Voice {
    /// The server, on its standard error.
    Stderr,
    /// The server, on its standard output, where only messages belong.
    Stdout,
    /// The server, in a log notification of this level.
    Message(String),
    /// We.
    Codewhale,
}

impl fmt::Display for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stderr => f.write_str("stderr"),
            Self::Stdout => f.write_str("stdout"),
            Self::Message(level) => f.write_str(&safe_line(level)),
            Self::Codewhale => f.write_str("codewhale"),
        }
    }
}

/// `2026-07-28T09:05:00.250Z stderr: text`, with a line break. Known secrets are hidden and control characters made
/// visible.
pub(super) fn line(moment: SystemTime, voice: &Voice, text: &str, secrets: &Redactor) -> String {
    format!("{} {voice}: {}\n", rfc3339(moment), safe(text, secrets))
}

/// A line of a stranger as we show it.
pub(crate) fn safe(text: &str, secrets: &Redactor) -> String {
    let hidden = secrets.apply(text);
    match safe_line(&hidden) {
        Cow::Borrowed(_) => hidden.into_owned(),
        Cow::Owned(safe) => safe,
    }
}

/// A text of bounded length.
pub(super) fn cut(text: &str) -> String {
    match text.len() {
        0..=LONGEST => text.to_owned(),
        _ => format!("{} (cut)", &text[..text.floor_char_boundary(LONGEST)]),
    }
}
