//! Why a text is refused as a whole.

use thiserror::Error;

use crate::Place;

/// A text that cannot be used at all. It is never read as empty, and nothing is written to its file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {reason}")]
pub struct ParseError {
    /// Where the text stops making sense.
    pub place: Place,
    /// What is wrong there.
    pub reason: ParseReason,
    /// The line and, below it, a caret under the place. Secrets in the line are masked with `*`, control characters are
    /// replaced, a long line is cut. Empty where there is no line to show.
    pub excerpt: String,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseReason {
    /// The bytes are not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotUtf8,
    /// The bytes start with a mark of UTF-16.
    #[error("the file is UTF-16 text, expected UTF-8")]
    Utf16,
    /// Nothing but blanks and comments.
    #[error("the file is empty, expected an object")]
    Empty,
    /// A value of another type stands where an object must.
    #[error("{} must be an object, found {found}", name(*.key))]
    NotAnObject {
        /// The member, or nothing for the whole text.
        key: Option<&'static str>,
        /// What stands there.
        found: &'static str,
    },
    /// A `\` that starts no escape: Windows paths need `\\`.
    #[error("bad escape in a string")]
    BadEscape,
    /// A string does not end on its line.
    #[error("the string is not closed on its line")]
    UnclosedString,
    /// A raw control character stands in a string.
    #[error("control character in a string")]
    ControlCharacter,
    /// A `/*` without `*/`.
    #[error("the comment is not closed")]
    UnclosedComment,
    /// A `{` without `}`.
    #[error("the object is not closed")]
    UnclosedObject,
    /// A `[` without `]`.
    #[error("the array is not closed")]
    UnclosedArray,
    /// Two members or elements without a comma between them.
    #[error("expected a comma")]
    ExpectedComma,
    /// A key without its colon.
    #[error("expected a colon behind the key")]
    ExpectedColon,
    /// A key without a value.
    #[error("expected a value")]
    ExpectedValue,
    /// A key that is not a string in double quotes.
    #[error("expected a key in double quotes")]
    ExpectedKey,
    /// A string in single quotes.
    #[error("expected double quotes")]
    SingleQuotes,
    /// A number that JSON does not have.
    #[error("not a number that JSON allows")]
    BadNumber,
    /// Text after the end of the object.
    #[error("text behind the end of the object")]
    SeveralValues,
    /// Too many objects and arrays within each other.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// Anything else that does not belong there.
    #[error("unexpected {found}")]
    Unexpected {
        /// What stands there.
        found: &'static str,
    },
    /// What the TOML parser says.
    #[error("{message}")]
    Toml {
        /// Its words.
        message: String,
    },
}

fn name(key: Option<&'static str>) -> String {
    match key {
        Some(key) => format!("`{key}`"),
        None => "the file".to_owned(),
    }
}
