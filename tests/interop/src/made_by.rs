//! Servers that are made here, with frameworks that others wrote.

use std::fmt;

use codewhale_mcp_protocol::Era;

use crate::by::By;

/// A server that is made here, the era it is spoken to in, and the way to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub(crate) with: Maker,
    pub(crate) era: Era,
    pub(crate) by: By,
}

/// What a server is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Maker {
    FastMcp,
    Rmcp,
    /// The official Python SDK, with a server that is not like the two others.
    PythonSdk,
}

impl Made {
    /// A name for what a check lets a server grow that others share.
    pub(crate) fn grown(self) -> String {
        format!("grown {self}").replace(|c: char| !c.is_ascii_alphanumeric(), "_")
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FastMcp => "fastmcp",
            Self::Rmcp => "rmcp",
            Self::PythonSdk => "python sdk",
        })
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let era = match self.era {
            Era::Modern => "modern",
            Era::Legacy => "legacy",
        };
        write!(f, "{} ({era}, {})", self.with, self.by)
    }
}
