//! Why a path is not served.

use std::io;

/// A path that is not served. The text says the rule, and shows nothing of what lies outside.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// An empty text.
    #[error("the path is empty; `.` is the workspace itself")]
    Empty,
    /// No system has such names.
    #[error("the path holds a NUL character")]
    Nul,
    /// Longer than any system takes.
    #[error("the path is longer than {limit} bytes")]
    TooLong {
        /// The most bytes.
        limit: usize,
    },
    /// Folders within folders beyond every use.
    #[error("`{path}` is nested deeper than {limit} directories")]
    TooDeep {
        /// As it was asked for.
        path: String,
        /// The most directories.
        limit: usize,
    },
    /// Absolute, or too many `..`.
    #[error("`{path}` lies outside of the workspace: only what is below {root} can be reached")]
    Outside {
        /// As it was asked for.
        path: String,
        /// The workspace.
        root: String,
    },
    /// A symbolic link that leaves.
    #[error(
        "`{path}` leads out of the workspace through the link `{link}`; links are followed inside of it only"
    )]
    LinkOutside {
        /// As it was asked for.
        path: String,
        /// Where the link is.
        link: String,
    },
    /// Links that lead to links.
    #[error("`{path}` goes through more than {limit} links")]
    TooManyLinks {
        /// As it was asked for.
        path: String,
        /// The most links.
        limit: usize,
    },
    /// Our own files, with consents and credentials.
    #[error("`{path}` belongs to codewhale itself: its tools neither read nor write there")]
    Kept {
        /// As it was asked for.
        path: String,
    },
    /// What other programs run or obey.
    #[error(
        "`{path}` is not written: programs take orders from it, as from all that stands in `.git` and `.codewhale`"
    )]
    Protected {
        /// As it was asked for.
        path: String,
    },
    /// Nothing there.
    #[error("there is no `{path}`")]
    NotFound {
        /// As it was asked for.
        path: String,
    },
    /// Something other than a directory.
    #[error("`{path}` is {is}, not a directory")]
    NotDirectory {
        /// As it was asked for.
        path: String,
        /// What it is.
        is: &'static str,
    },
    /// Something other than a regular file.
    #[error("`{path}` is {is}: only regular files are read and written")]
    NotFile {
        /// As it was asked for.
        path: String,
        /// What it is.
        is: &'static str,
    },
    /// Somebody swapped it while it was being opened.
    #[error("`{path}` changed while it was being opened")]
    Swapped {
        /// As it was asked for.
        path: String,
    },
    /// The system said no.
    #[error("cannot use `{path}`: {source}")]
    System {
        /// As it was asked for.
        path: String,
        /// Its answer.
        source: io::Error,
    },
}

impl Refused {
    /// What the system answered, with its commonest answers in words of their own.
    pub(crate) fn system(path: &str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path },
            _ if is_link(&source) => Self::Swapped { path },
            _ => Self::System { path, source },
        }
    }
}

/// Whether the system found a link where none is followed.
#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_link(_: &io::Error) -> bool {
    false
}
