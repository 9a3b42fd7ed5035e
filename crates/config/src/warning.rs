//! What is odd and does not stop anything.

use std::fmt;

use codewhale_mcp_redact::safe_line;

use crate::Place;

/// Something a person should know about a configuration that works. `Display` gives `place: text`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A member nobody reads. It is kept.
    UnknownKey {
        /// Where it stands.
        place: Place,
        /// The name as written.
        key: String,
        /// A known name close to it.
        suggestion: Option<&'static str>,
    },
    /// Two members of which one has no effect.
    Beaten {
        /// Where the one without effect stands.
        place: Place,
        /// The one without effect.
        key: String,
        /// The one that counts.
        by: &'static str,
        /// Where that one stands.
        by_place: Place,
    },
    /// A member that has no meaning for this kind of server.
    NoEffect {
        /// Where it stands.
        place: Place,
        /// The member.
        key: &'static str,
        /// The kind of server it stands at.
        kind: &'static str,
    },
    /// `command` holds what looks like a whole command line, and is one program name.
    CommandLine {
        /// Where it stands.
        place: Place,
    },
    /// A `${…}` that is not one of the known forms and stays as it is.
    UnknownForm {
        /// Where the value stands.
        place: Place,
        /// The member.
        key: String,
    },
    /// `servers` or `mcpServers` stands twice in a file; all of them count.
    SecondContainer {
        /// The second place.
        place: Place,
        /// Which.
        key: &'static str,
        /// The first place.
        first: Place,
    },
    /// A later `--mcp-config` has a server of the same name.
    LaterWins {
        /// The server.
        name: String,
        /// Where the definition that counts stands.
        place: Place,
        /// Where the other stands.
        loser: Place,
    },
    /// A secret stands in the file as it is.
    LiteralSecret {
        /// Where it stands.
        place: Place,
        /// The member, such as `headers.Authorization` or `args[1]`.
        key: String,
        /// What to write instead.
        instead: &'static [&'static str],
    },
    /// A project may not set this; it is ignored.
    NotForProjects {
        /// Where it stands.
        place: Place,
        /// The member.
        key: String,
    },
}

impl Warning {
    /// Where to look.
    pub fn place(&self) -> &Place {
        match self {
            Self::UnknownKey { place, .. }
            | Self::Beaten { place, .. }
            | Self::NoEffect { place, .. }
            | Self::CommandLine { place }
            | Self::UnknownForm { place, .. }
            | Self::SecondContainer { place, .. }
            | Self::LaterWins { place, .. }
            | Self::LiteralSecret { place, .. }
            | Self::NotForProjects { place, .. } => place,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place())?;
        match self {
            Self::UnknownKey { key, suggestion: Some(meant), .. } => {
                write!(f, "`{}` is unknown, did you mean `{meant}`", safe_line(key))
            }
            Self::UnknownKey { key, suggestion: None, .. } => write!(f, "`{}` is unknown", safe_line(key)),
            Self::Beaten { key, by, by_place, .. } => {
                write!(f, "`{}` has no effect beside `{by}` ({by_place})", safe_line(key))
            }
            Self::NoEffect { key, kind, .. } => {
                write!(f, "`{key}` has no effect for a server of type {kind}")
            }
            Self::CommandLine { .. } => {
                f.write_str("`command` is one program name, arguments belong into `args`")
            }
            Self::UnknownForm { key, .. } => {
                write!(f, "`{}` holds a `${{…}}` that is not expanded", safe_line(key))
            }
            Self::SecondContainer { key, first, .. } => write!(f, "`{key}` stands already at {first}"),
            Self::LaterWins { name, loser, .. } => {
                write!(f, "`{}` replaces the one at {loser}", safe_line(name))
            }
            Self::LiteralSecret { key, instead, .. } => {
                write!(f, "`{}` holds a secret, use {} instead", safe_line(key), instead.join(" or "))
            }
            Self::NotForProjects { key, .. } => {
                write!(f, "`{}` is ignored, a project may only set `[tools]`", safe_line(key))
            }
        }
    }
}
