//! The kinds of failures, and how far a server had come.

use super::report::Severity;

/// What kind of failure. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// The definition cannot be used.
    Config,
    /// The definition needs a variable that is not set.
    MissingVariable,
    /// The user has not consented to this definition.
    Untrusted,
    /// There is no such program.
    CommandNotFound,
    /// The program is a script whose interpreter is missing.
    InterpreterNotFound,
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
    /// The server closed the connection before it was ready, and its process stayed.
    Closed,
    /// The server refused the handshake, or speaks no revision that we speak.
    HandshakeFailed,
    /// The server's answer to the handshake is none.
    Protocol,
    /// The server could not be reached: no address, no connection, no agreement on encryption.
    Unreachable,
    /// The server answered with a status that is no answer.
    Refused,
    /// The server sends us where we do not go.
    Redirected,
    /// A rule of the network forbids to reach it.
    Blocked,
    /// The server asks for a login.
    NeedsLogin,
    /// The server wants scopes that no login asked for.
    MissingScopes,
    /// The server wants scopes that the login asked for already.
    ScopesRefused,
    /// The server does not accept the credentials that its definition names.
    CredentialsRefused,
    /// The credentials of a login cannot be read or renewed.
    LoginFailed,
    /// The server broke a limit.
    Limit,
    /// Servers of this kind cannot be reached by this program.
    UnsupportedTransport,
    /// The user interrupted.
    Interrupted,
}

/// A step on the way to a server that is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Reading its definition.
    Config,
    /// Asking for consent.
    Trust,
    /// Starting its process.
    Spawn,
    /// Reaching it over the network.
    Reach,
    /// Finding out what it speaks.
    Handshake,
    /// Reading its first list of tools.
    List,
}

impl FailureClass {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::MissingVariable => "missing_variable",
            Self::Untrusted => "untrusted",
            Self::CommandNotFound => "command_not_found",
            Self::InterpreterNotFound => "interpreter_not_found",
            Self::NotExecutable => "not_executable",
            Self::BadCwd => "bad_cwd",
            Self::SpawnFailed => "spawn_failed",
            Self::Exited => "exited",
            Self::TimedOut => "timed_out",
            Self::Closed => "closed",
            Self::HandshakeFailed => "handshake_failed",
            Self::Protocol => "protocol",
            Self::Unreachable => "unreachable",
            Self::Refused => "refused",
            Self::Redirected => "redirected",
            Self::Blocked => "blocked",
            Self::NeedsLogin => "needs_login",
            Self::MissingScopes => "missing_scopes",
            Self::ScopesRefused => "scopes_refused",
            Self::CredentialsRefused => "credentials_refused",
            Self::LoginFailed => "login_failed",
            Self::Limit => "limit",
            Self::UnsupportedTransport => "unsupported_transport",
            Self::Interrupted => "interrupted",
        }
    }
}

impl FailureClass {
    /// How bad it is.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::NeedsLogin | Self::MissingScopes | Self::CredentialsRefused => Severity::NeedsLogin,
            Self::Untrusted | Self::Blocked | Self::Redirected => Severity::Blocked,
            _ => Severity::Failed,
        }
    }
}

impl Phase {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Trust => "trust",
            Self::Spawn => "spawn",
            Self::Reach => "reach",
            Self::Handshake => "handshake",
            Self::List => "list",
        }
    }
}
