//! The exit codes, all of them.

use std::process::ExitCode;

/// How a run of `codewhale` ended, as its caller sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done.
    Ok,
    /// The operation failed.
    Failed,
    /// The command line or a configuration file cannot be used.
    Usage,
    /// A server wants a login first.
    LoginNeeded,
    /// Policy, missing trust or a missing consent forbids it.
    Blocked,
    /// The tool ran and answered that it failed.
    ToolFailed,
    /// It took too long.
    TimedOut,
    /// `SIGINT` came, as from Ctrl-C.
    Interrupted,
    /// `SIGTERM` came.
    Terminated,
}

impl Exit {
    /// Every way a run can end, in the order of the codes.
    pub const ALL: [Self; 9] = [
        Self::Ok,
        Self::Failed,
        Self::Usage,
        Self::LoginNeeded,
        Self::Blocked,
        Self::ToolFailed,
        Self::TimedOut,
        Self::Interrupted,
        Self::Terminated,
    ];

    /// The number that the system sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::LoginNeeded => 3,
            Self::Blocked => 4,
            Self::ToolFailed => 5,
            Self::TimedOut => 6,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
