//! Why a server cannot be used, by class.

use std::time::Duration;

use codewhale_mcp_client::{CallError, ConnectCause, ConnectError, HandshakeError};
use codewhale_mcp_transport::{End, OpenError, stdio::SpawnError};

/// A server cannot be used.
#[derive(Debug)]
pub struct Failure {
    /// What kind of failure.
    pub class: Class,
    /// What went wrong, without a hint: one line that may hold words of the server.
    pub message: String,
    /// How the server ended, if it ended by itself.
    pub end: Option<End>,
    /// The last lines of its standard error, oldest first. They may hold anything.
    pub stderr: Vec<String>,
    /// How long it took to fail.
    pub elapsed: Duration,
}

/// What kind of failure. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// There is no such program.
    CommandNotFound,
    /// The program is there and cannot be executed.
    NotExecutable,
    /// The working directory cannot be used.
    BadCwd,
    /// The program could not be started for another reason.
    SpawnFailed,
    /// The server ended before it was ready.
    Exited,
    /// The server was not ready in time.
    TimedOut,
    /// The handshake failed.
    HandshakeFailed,
    /// The server broke a limit.
    Limit,
    /// The server is alive and its list of tools cannot be read.
    ListFailed,
}

impl Class {
    /// A stable word for programs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CommandNotFound => "command_not_found",
            Self::NotExecutable => "not_executable",
            Self::BadCwd => "bad_cwd",
            Self::SpawnFailed => "spawn_failed",
            Self::Exited => "exited",
            Self::TimedOut => "timed_out",
            Self::HandshakeFailed => "handshake_failed",
            Self::Limit => "limit",
            Self::ListFailed => "list_failed",
        }
    }
}

impl Failure {
    pub(crate) fn of_connect(error: ConnectError, elapsed: Duration) -> Self {
        let (class, message) = match &error.cause {
            ConnectCause::Open(OpenError::Spawn(cause)) => (of_spawn(cause), cause.to_string()),
            ConnectCause::Open(cause) => (Class::SpawnFailed, cause.to_string()),
            ConnectCause::Handshake(HandshakeError::Closed { .. }) => match &error.end {
                Some(end @ (End::Exited(_) | End::Signaled(_))) => {
                    (Class::Exited, format!("the server {end} before it was ready"))
                }
                _ => (Class::HandshakeFailed, error.to_string()),
            },
            ConnectCause::Handshake(HandshakeError::Unanswered { .. }) | ConnectCause::TimedOut { .. } => {
                (Class::TimedOut, error.to_string())
            }
            ConnectCause::Handshake(_) => (Class::HandshakeFailed, error.to_string()),
            ConnectCause::Limit(_) => (Class::Limit, error.to_string()),
            _ => (Class::SpawnFailed, error.to_string()),
        };
        Self { class, message, end: error.end, stderr: error.last_words, elapsed }
    }

    pub(crate) fn of_list(error: &CallError, stderr: Vec<String>, elapsed: Duration) -> Self {
        let end = match error {
            CallError::ServerGone(gone) => Some(gone.end.clone()),
            _ => None,
        };
        let class = if end.is_some() { Class::Exited } else { Class::ListFailed };
        Self { class, message: error.to_string(), end, stderr, elapsed }
    }
}

fn of_spawn(cause: &SpawnError) -> Class {
    match cause {
        SpawnError::ProgramNotFound { .. } | SpawnError::InterpreterNotFound { .. } => Class::CommandNotFound,
        SpawnError::ProgramIsDirectory { .. } | SpawnError::ProgramNotExecutable { .. } => {
            Class::NotExecutable
        }
        SpawnError::CwdNotFound { .. } => Class::BadCwd,
        _ => Class::SpawnFailed,
    }
}
