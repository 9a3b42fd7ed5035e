//! Why a change is refused.

use codewhale_mcp_redact::safe_line;
use thiserror::Error;

use crate::{ParseError, Place, Problem};

/// A change was refused; the text is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// The text makes no sense, and is not overwritten.
    #[error(transparent)]
    Unusable(#[from] ParseError),
    /// There is a server of that name already.
    #[error("{place}: `{}` exists already", safe_line(name))]
    Exists {
        /// The name.
        name: String,
        /// Where it stands.
        place: Place,
    },
    /// There is no server of that name.
    #[error("there is no server `{}`", safe_line(name))]
    Unknown {
        /// The name.
        name: String,
        /// All names that are there, in the order of the text.
        known: Vec<String>,
    },
    /// The name stands more than once; which one is meant is for a person to say.
    #[error("`{}` is defined more than once: {}", safe_line(name), places.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "))]
    Ambiguous {
        /// The name.
        name: String,
        /// All its places.
        places: Vec<Place>,
    },
    /// A new name must match `[A-Za-z0-9._-]{1,64}`.
    #[error("`{}` is no name for a server", safe_line(name))]
    BadName {
        /// The name.
        name: String,
    },
    /// The new definition would be refused when it is read.
    #[error("the definition is not valid: {}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    BadDefinition {
        /// What is wrong; at least one.
        problems: Vec<Problem>,
    },
    /// The entry is no object, so it has nothing to switch.
    #[error("{place}: `{}` is not an object", safe_line(name))]
    NotAnObject {
        /// The name.
        name: String,
        /// Where its value stands.
        place: Place,
    },
    /// The result would differ in more than the entry. This is a fault of ours; nothing was written.
    #[error("the change of `{}` would have touched other parts of the file", safe_line(name))]
    WouldTouchOthers {
        /// The name.
        name: String,
    },
}
