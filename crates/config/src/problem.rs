//! Why one entry is disabled, while the others load.

use thiserror::Error;

use crate::Place;

/// A fault of one entry (or of a block such as `timeouts`). It names the member and its place, never the value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A value of another type.
    #[error("{place}: `{key}` must be {expected}, found {found}")]
    WrongType {
        /// Where the value stands.
        place: Place,
        /// The member, such as `args[2]` or `env.PORT`.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// A value of the right type that cannot be used.
    #[error("{place}: `{key}` must be {expected}")]
    BadValue {
        /// Where the value stands.
        place: Place,
        /// The member.
        key: String,
        /// What it must be.
        expected: &'static str,
    },
    /// A `type` or `transport` that does not exist.
    #[error("{place}: `{key}` is `{found}`, expected `stdio`, `http` or `sse`")]
    UnknownKind {
        /// Where the value stands.
        place: Place,
        /// `type` or `transport`.
        key: &'static str,
        /// What stands there, cut and safe to print.
        found: String,
    },
    /// Neither `command` nor `url`.
    #[error("{place}: `{name}` needs `command` or `url`{}", near_text(near.as_ref()))]
    NoTransport {
        /// Where the entry stands.
        place: Place,
        /// The server.
        name: String,
        /// A member that was probably meant to be one of them.
        near: Option<Near>,
    },
    /// Both `command` and `url`.
    #[error("{command}: `command` and `url` ({url}) exclude each other")]
    TwoTransports {
        /// Where `command` stands.
        command: Place,
        /// Where `url` stands.
        url: Place,
    },
    /// `type` or `transport` says one thing, the rest of the entry another.
    #[error("{place}: `{key}: {kind}` contradicts `{other}` ({other_place})")]
    Contradiction {
        /// Where the first value stands.
        place: Place,
        /// The first member.
        key: &'static str,
        /// The first member's value.
        kind: &'static str,
        /// The other member.
        other: &'static str,
        /// Where the other stands.
        other_place: Place,
    },
    /// One member, header or variable stands twice.
    #[error("{first}: `{key}` stands again at {second}")]
    DuplicateKey {
        /// The member.
        key: String,
        /// The first place.
        first: Place,
        /// The second place.
        second: Place,
    },
    /// Two servers of one file have the same name: none of them counts.
    #[error("`{name}` is defined more than once: {}", places.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "))]
    DuplicateName {
        /// The name.
        name: String,
        /// All its places, at least two, in the order of the file.
        places: Vec<Place>,
    },
    /// The name is empty or holds characters that do not print.
    #[error("{place}: a server's name must be printable and not empty")]
    BadName {
        /// Where the name stands.
        place: Place,
    },
    /// `type: "sdk"` outside the command line.
    #[error("{place}: `type: sdk` is allowed on the command line only")]
    SdkInFile {
        /// Where the value stands.
        place: Place,
    },
    /// A variable without a default is not set.
    #[error("{place}: `{key}` needs the environment variable `{variable}`, which is not set")]
    MissingVariable {
        /// Where the value stands.
        place: Place,
        /// The member.
        key: String,
        /// The variable.
        variable: String,
    },
    /// A variable's value is not UTF-8.
    #[error("{place}: `{key}` needs the environment variable `{variable}`, which is not UTF-8 text")]
    VariableNotText {
        /// Where the value stands.
        place: Place,
        /// The member.
        key: String,
        /// The variable.
        variable: String,
    },
}

/// A member whose name is close to one that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The name as written.
    pub key: String,
    /// The name that was probably meant.
    pub meant: &'static str,
    /// Where it stands.
    pub place: Place,
}

fn near_text(near: Option<&Near>) -> String {
    near.map_or_else(String::new, |near| {
        let key = codewhale_mcp_redact::safe_line(&near.key);
        format!("; `{key}` ({}) is unknown, did you mean `{}`", near.place, near.meant)
    })
}

impl Problem {
    /// Where to look first.
    pub fn place(&self) -> &Place {
        match self {
            Self::WrongType { place, .. }
            | Self::BadValue { place, .. }
            | Self::UnknownKind { place, .. }
            | Self::NoTransport { place, .. }
            | Self::TwoTransports { command: place, .. }
            | Self::Contradiction { place, .. }
            | Self::DuplicateKey { first: place, .. }
            | Self::BadName { place }
            | Self::SdkInFile { place }
            | Self::MissingVariable { place, .. }
            | Self::VariableNotText { place, .. } => place,
            Self::DuplicateName { places, .. } => &places[0],
        }
    }

    /// Whether a default could stand in the place of a variable that is missing: where a value is written with the variable
    /// in it, and not where the name of one stands alone.
    #[must_use]
    pub fn may_have_default(&self) -> bool {
        matches!(self, Self::MissingVariable { key, .. } if !names_a_variable(key))
    }
}

/// Whether a member's value is the name of a variable.
fn names_a_variable(key: &str) -> bool {
    key.ends_with("_env_var") || key.starts_with("env_headers.")
}
