//! What a tool answers when it could not do what was asked.

use std::error::Error;
use std::io;

use codewhale_mcp_process::SpawnError;

use crate::workspace::Refused;

/// Why a tool failed. Its text is for a model: it says what is wrong, and what works.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A path is not served.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// An argument makes no sense.
    #[error("`{name}`: {reason}")]
    Argument {
        /// The argument.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that holds no text.
    #[error(
        "`{path}` is no text: there is a NUL byte at {at}, of {} in all; `as: \"base64\"` reads it as it is",
        count(*.size, "byte")
    )]
    Binary {
        /// As it was asked for.
        path: String,
        /// The first NUL byte.
        at: usize,
        /// Bytes of the whole file.
        size: u64,
    },
    /// A file that is not UTF-8 and would not survive an edit.
    #[error("`{path}` is not UTF-8 from byte {at} on, so its text is not edited")]
    NotUtf8 {
        /// As it was asked for.
        path: String,
        /// The first byte that is none.
        at: usize,
    },
    /// More than is written or edited at once.
    #[error("{what} has {bytes} bytes; at most {limit} are written at once")]
    TooLarge {
        /// What it is.
        what: String,
        /// Its bytes.
        bytes: u64,
        /// The most bytes.
        limit: u64,
    },
    /// A line that is not read to its end.
    #[error(
        "line {line} of `{path}` is longer than {limit} bytes, so neither it nor what follows is read as lines; \
        `as: \"base64\"` reads bytes from any offset"
    )]
    LongLine {
        /// As it was asked for.
        path: String,
        /// Its number.
        line: u64,
        /// The most bytes.
        limit: u64,
    },
    /// A file that has nowhere to be.
    #[error("the directory of `{path}` is not there; `create_directories: true` makes it")]
    NoDirectory {
        /// As it was asked for.
        path: String,
    },
    /// There is a file already.
    #[error("`{path}` is there already; `overwrite: true` replaces it, `edit_file` changes a part of it")]
    Exists {
        /// As it was asked for.
        path: String,
    },
    /// No command more is started for now.
    #[error(
        "{limit} commands are running, which is as many as may run at once; wait until one of them has ended"
    )]
    TooManyCommands {
        /// The most commands.
        limit: usize,
    },
    /// The text to be replaced is not there.
    #[error("`old_text` does not stand in `{path}`{hint}")]
    NoMatch {
        /// As it was asked for.
        path: String,
        /// What comes near, or nothing.
        hint: String,
    },
    /// The text to be replaced is there more than once.
    #[error(
        "`old_text` stands in `{path}` {count} times, first at lines {lines}: give more of the text around it, or \
        `replace_all: true`"
    )]
    NotOnce {
        /// As it was asked for.
        path: String,
        /// How often.
        count: usize,
        /// The first of the lines.
        lines: String,
    },
    /// Somebody else wrote the file meanwhile.
    #[error("`{path}` was changed by somebody else meanwhile, nothing was written; read it again")]
    Changed {
        /// As it was asked for.
        path: String,
    },
    /// A command that did not start.
    #[error("{}", whole(.0))]
    Spawn(#[from] SpawnError),
    /// The system said no.
    #[error("cannot {what} `{path}`: {source}")]
    System {
        /// What was to be done.
        what: &'static str,
        /// To what.
        path: String,
        /// Its answer.
        source: io::Error,
    },
    /// Nobody waits for the answer any more.
    #[error("the call was cancelled")]
    Cancelled,
}

impl Fault {
    /// An argument makes no sense.
    pub(crate) fn argument(name: &'static str, reason: impl Into<String>) -> Self {
        Self::Argument { name, reason: reason.into() }
    }

    /// For `map_err`: the system did not do `what` to `path`.
    pub(crate) fn system(what: &'static str, path: &str) -> impl Fn(io::Error) -> Self {
        move |source| Self::System { what, path: path.to_owned(), source }
    }
}

/// An error with its causes.
fn whole(error: &SpawnError) -> String {
    let causes = std::iter::successors(error.source(), |cause: &&dyn Error| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// So many of something.
pub(crate) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
