//! Exit codes.

/// How a run ended, for the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Ok,
    /// The operation failed.
    Failed,
    /// The command line or the configuration cannot be used.
    Usage,
    /// Policy, trust or a missing consent stands in the way.
    Blocked,
    /// The tool answered that it failed.
    ToolError,
    /// It took too long.
    TimedOut,
    /// It was interrupted.
    Interrupted,
    /// It was told to end.
    Terminated,
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Blocked => 4,
            Self::ToolError => 5,
            Self::TimedOut => 6,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}
