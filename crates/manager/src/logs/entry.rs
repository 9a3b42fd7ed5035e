//! One line of a log, safe to print.

use std::borrow::Cow;
use std::time::SystemTime;

use codewhale_mcp_redact::{Redactor, safe_line};

use crate::instant::rfc3339;

/// The most bytes of a text that are kept; a log message may be of any length.
pub(super) const LONGEST: usize = 8 * 1024;
/// The most bytes of a level.
const LONGEST_LEVEL: usize = 64;

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

impl Voice {
    /// What stands before the text; a level is a word of the server's.
    fn shown(&self, secrets: &Redactor) -> Cow<'static, str> {
        match self {
            Self::Stderr => Cow::Borrowed("stderr"),
            Self::Stdout => Cow::Borrowed("stdout"),
            Self::Message(level) => Cow::Owned(safe(&cut(level, LONGEST_LEVEL), secrets)),
            Self::Codewhale => Cow::Borrowed("codewhale"),
        }
    }
}

/// `2026-07-28T09:05:00.250Z stderr: text`, with a line break. Known secrets are hidden and control characters made
/// visible. What we say ourselves is not searched: it has no words of others, or such as were made safe before.
pub(super) fn line(moment: SystemTime, voice: &Voice, text: &str, secrets: &Redactor) -> String {
    let text = match voice {
        Voice::Codewhale => safe_line(text).into_owned(),
        _ => safe(text, secrets),
    };
    format!("{} {}: {text}\n", rfc3339(moment), voice.shown(secrets))
}

/// A line of a stranger as we show it.
pub(crate) fn safe(text: &str, secrets: &Redactor) -> String {
    let hidden = secrets.apply(text);
    match safe_line(&hidden) {
        Cow::Borrowed(_) => hidden.into_owned(),
        Cow::Owned(safe) => safe,
    }
}

/// A text of bounded length. The `…` tells the [`Redactor`] where a secret may be cut.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.len() > limit {
        false => text.to_owned(),
        true => format!("{}… (cut)", &text[..text.floor_char_boundary(limit)]),
    }
}
