//! Where a value came from.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Whose configuration something is. The order is the precedence of one name: the first wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Named on the command line for this run.
    Flag,
    /// The workspace's own file; counts only in a workspace the user trusts.
    Project,
    /// The user's own file.
    User,
    /// A plugin bundle.
    Plugin,
}

impl Scope {
    /// The name that people and machines see: `flag`, `project`, `user`, `plugin`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Project => "project",
            Self::User => "user",
            Self::Plugin => "plugin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a text was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A file.
    File(Arc<Path>),
    /// Something without a path, under a name such as `--mcp-config JSON`.
    Label(Arc<str>),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&codewhale_mcp_redact::safe_line(&path.to_string_lossy())),
            Self::Label(label) => f.write_str(label),
        }
    }
}

/// A text's origin and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// What it was read from.
    pub origin: Origin,
    /// Whose configuration it is.
    pub scope: Scope,
}

impl Source {
    /// A file of some scope.
    pub fn file(path: &Path, scope: Scope) -> Self {
        Self { origin: Origin::File(path.into()), scope }
    }

    /// A text without a path.
    pub fn label(label: &str, scope: Scope) -> Self {
        Self { origin: Origin::Label(label.into()), scope }
    }

    /// A place in this source.
    pub(crate) fn at(&self, line: u32, column: u32) -> Place {
        Place { origin: self.origin.clone(), scope: self.scope, line, column }
    }
}

/// The place of one value. Prints as `path:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file, or the label of what is no file.
    pub origin: Origin,
    /// Whose configuration it is.
    pub scope: Scope,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl Place {
    /// The file, if the value came from one.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Label(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.origin, self.line, self.column)
    }
}

/// A value and the place it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub place: Place,
}

impl<T> Located<T> {
    /// Joins a value and its place.
    pub const fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }

    /// Changes the value, keeps the place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: change(self.value), place: self.place }
    }
}
