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
    /// `${input:…}`, which an editor asks a person for, and which stays as it is.
    InputForm {
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
    /// Secrets stand in the file as they are.
    LiteralSecret {
        /// Where the first stands.
        place: Place,
        /// The members, such as `headers.Authorization` or `args[1]`.
        keys: Vec<String>,
        /// What to write instead.
        instead: &'static [&'static str],
    },
    /// Values such as `<YOUR_TOKEN>` that were not replaced.
    Placeholder {
        /// Where the first stands.
        place: Place,
        /// The members.
        keys: Vec<String>,
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
            | Self::InputForm { place, .. }
            | Self::LiteralSecret { place, .. }
            | Self::Placeholder { place, .. }
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
            Self::InputForm { key, .. } => {
                let key = safe_line(key);
                write!(
                    f,
                    "`{key}` holds a `${{input:…}}`, which nobody is asked for here, use `${{VAR}}` instead"
                )
            }
            Self::LiteralSecret { keys, instead, .. } => {
                let what = if keys.len() == 1 { "holds a secret" } else { "hold secrets" };
                write!(f, "{} {what}, use {} instead", named(keys), instead.join(" or "))
            }
            Self::Placeholder { keys, .. } => {
                let what = if keys.len() == 1 {
                    "looks like a placeholder, replace it"
                } else {
                    "look like placeholders, replace them"
                };
                write!(f, "{} {what}", named(keys))
            }
            Self::NotForProjects { key, .. } => {
                write!(f, "`{}` is ignored, a project may only set `[tools]`", safe_line(key))
            }
        }
    }
}

fn named(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{}`", safe_line(key))).collect::<Vec<_>>().join(", ")
}
