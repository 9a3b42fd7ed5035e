//! The tools that an operator has to allow.

use std::fmt;
use std::str::FromStr;

/// A tool that changes something, and is there only when the operator says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permit {
    /// `write_file`
    WriteFile,
    /// `edit_file`
    EditFile,
    /// `shell`
    Shell,
}

impl Permit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::WriteFile, Self::EditFile, Self::Shell];

    /// The tool's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WriteFile => "write_file",
            Self::EditFile => "edit_file",
            Self::Shell => "shell",
        }
    }
}

impl fmt::Display for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no such tool to allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no tool that can be allowed, which are write_file, edit_file and shell")]
pub struct NoPermit {
    /// What was named.
    pub name: String,
}

impl FromStr for Permit {
    type Err = NoPermit;

    fn from_str(name: &str) -> Result<Self, NoPermit> {
        let found = Self::ALL.into_iter().find(|permit| permit.name() == name);
        found.ok_or_else(|| NoPermit { name: name.to_owned() })
    }
}
