//! Why a server cannot be used, by class.

use std::error::Error;
use std::fmt;

use codewhale_mcp_auth::Demand;
use codewhale_mcp_client::{CallError, ConnectCause, ConnectError, ExchangeFault, Gone, HandshakeError};
use codewhale_mcp_config::Problem;
use codewhale_mcp_transport::stdio::SpawnError;
use codewhale_mcp_transport::{End, ExchangeError, OpenError};

use super::class::{FailureClass, Phase};
use crate::Standing;
use crate::logs::Log;

/// A server cannot be used. What was started of it has been stopped, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub class: FailureClass,
    /// How far it had come.
    pub phase: Phase,
    /// What went wrong and why, the outermost first; at least one, each a line that is safe to print.
    pub causes: Vec<String>,
    /// How the server ended, if it had started and ended by itself.
    pub end: Option<End>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.causes.join(": "))
    }
}

impl Failure {
    /// A definition that cannot be used, for these reasons.
    #[must_use]
    pub fn config(problems: &[Problem]) -> Self {
        let missing = |problem: &Problem| matches!(problem, Problem::MissingVariable { .. });
        let all_missing = !problems.is_empty() && problems.iter().all(missing);
        let class = if all_missing { FailureClass::MissingVariable } else { FailureClass::Config };
        let text = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Self::plain(class, Phase::Config, text)
    }

    /// A definition the user has not consented to.
    #[must_use]
    pub fn untrusted(standing: Standing) -> Self {
        let text = match standing {
            Standing::Changed => "its definition has changed since it was trusted",
            Standing::New | Standing::Trusted => "the workspace's own servers are not trusted",
        };
        Self::plain(FailureClass::Untrusted, Phase::Trust, text)
    }

    pub(crate) fn plain(class: FailureClass, phase: Phase, cause: impl Into<String>) -> Self {
        Self { class, phase, causes: vec![cause.into()], end: None }
    }

    pub(crate) fn of_connect(error: ConnectError, log: &Log) -> Self {
        let ended = matches!(error.end, Some(End::Exited(_) | End::Signaled(_)));
        let (class, phase) = match &error.cause {
            ConnectCause::Open(OpenError::Spawn(cause)) => (of_spawn(cause), Phase::Spawn),
            ConnectCause::Open(OpenError::Exchange(error)) => of_exchange(error),
            ConnectCause::Open(OpenError::NoEventStream { status: 401, .. }) => {
                (FailureClass::NeedsLogin, Phase::Handshake)
            }
            ConnectCause::Open(OpenError::NoEventStream { .. })
            | ConnectCause::Handshake(HandshakeError::TurnedDown { .. }) => {
                (FailureClass::Refused, Phase::Handshake)
            }
            ConnectCause::Open(OpenError::Endpoint { .. }) => (FailureClass::Protocol, Phase::Handshake),
            ConnectCause::Exchange(fault) => of_fault(fault),
            ConnectCause::Open(_) => (FailureClass::SpawnFailed, Phase::Spawn),
            ConnectCause::Limit(_) => (FailureClass::Limit, Phase::Handshake),
            ConnectCause::TimedOut { .. }
            | ConnectCause::NotOpen { .. }
            | ConnectCause::Handshake(HandshakeError::Unanswered { .. }) => {
                (FailureClass::TimedOut, Phase::Handshake)
            }
            ConnectCause::Handshake(HandshakeError::Closed { .. }) if ended => {
                (FailureClass::Exited, Phase::Handshake)
            }
            ConnectCause::Handshake(HandshakeError::Closed { .. }) => {
                (FailureClass::Closed, Phase::Handshake)
            }
            ConnectCause::Handshake(HandshakeError::InvalidAnswer { .. }) => {
                (FailureClass::Protocol, Phase::Handshake)
            }
            _ => (FailureClass::HandshakeFailed, Phase::Handshake),
        };
        let mut causes = chain(&error, log);
        causes.extend(surroundings(&error.cause).map(|text| log.safe(&text)));
        if let Some(text) = lacking(&error.cause) {
            causes = vec![text];
        }
        if let (FailureClass::Exited, Some(end)) = (class, &error.end) {
            causes.insert(0, format!("the server {end} before it was ready"));
        }
        Self { class, phase, causes, end: error.end.filter(|_| ended) }
    }

    /// A login is needed to list the server's tools, or the one that there is cannot be used.
    pub(crate) fn of_login(error: &CallError, log: &Log) -> Option<Self> {
        let CallError::Exchange { fault, .. } = error else { return None };
        let (class, _) = of_fault(fault);
        matches!(
            class,
            FailureClass::NeedsLogin
                | FailureClass::MissingScopes
                | FailureClass::ScopesRefused
                | FailureClass::LoginFailed
        )
        .then(|| {
            let causes = lacking_of(fault).map_or_else(|| chain(&**fault, log), |text| vec![text]);
            Self { class, phase: Phase::List, causes, end: None }
        })
    }

    /// The server was lost while its tools were listed.
    pub(crate) fn of_loss(gone: &Gone, error: &CallError, log: &Log) -> Self {
        let class = match (&gone.fault, &gone.end) {
            (Some(_), _) => FailureClass::Limit,
            (None, End::Exited(_) | End::Signaled(_)) => FailureClass::Exited,
            _ => FailureClass::Closed,
        };
        let end = Some(gone.end.clone()).filter(|_| class == FailureClass::Exited);
        Self { class, phase: Phase::List, causes: chain(error, log), end }
    }
}

/// Where a program was looked for in vain: `PATH`, and the folder it would have run in.
fn surroundings(cause: &ConnectCause) -> impl Iterator<Item = String> {
    let (path, cwd) = match cause {
        ConnectCause::Open(OpenError::Spawn(cause)) => match cause {
            SpawnError::ProgramNotFound { path, cwd, .. }
            | SpawnError::InterpreterNotFound { path, cwd, .. } => (path.as_ref(), cwd.as_ref()),
            SpawnError::ProgramIsDirectory { cwd, .. } | SpawnError::ProgramNotExecutable { cwd, .. } => {
                (None, cwd.as_ref())
            }
            _ => (None, None),
        },
        _ => (None, None),
    };
    let path = path.map(|path| format!("PATH is {}", path.to_string_lossy()));
    path.into_iter().chain(cwd.map(|cwd| format!("the working directory is {}", cwd.display())))
}

fn of_fault(fault: &ExchangeFault) -> (FailureClass, Phase) {
    match fault {
        ExchangeFault::Failed(error) => of_exchange(error),
        ExchangeFault::LoginNeeded { challenges } => (needed(challenges), Phase::Handshake),
        ExchangeFault::Refused { .. } => (FailureClass::Refused, Phase::Handshake),
        ExchangeFault::NoMessages { .. } => (FailureClass::Protocol, Phase::Handshake),
        _ => (FailureClass::Closed, Phase::Handshake),
    }
}

fn of_exchange(error: &ExchangeError) -> (FailureClass, Phase) {
    match error {
        ExchangeError::Blocked(_) => (FailureClass::Blocked, Phase::Reach),
        ExchangeError::Unreachable { .. } => (FailureClass::Unreachable, Phase::Reach),
        ExchangeError::Redirected { .. } => (FailureClass::Redirected, Phase::Handshake),
        ExchangeError::TooLong { .. } => (FailureClass::Limit, Phase::Handshake),
        ExchangeError::LoginNeeded { challenges } => (needed(challenges), Phase::Handshake),
        ExchangeError::ScopesRefused { .. } => (FailureClass::ScopesRefused, Phase::Handshake),
        ExchangeError::LoginFailed { .. } => (FailureClass::LoginFailed, Phase::Handshake),
        _ => (FailureClass::Closed, Phase::Handshake),
    }
}

/// Which scopes a server misses that turned the first request down.
fn lacking(cause: &ConnectCause) -> Option<String> {
    match cause {
        ConnectCause::Exchange(fault) => lacking_of(fault),
        ConnectCause::Open(OpenError::Exchange(ExchangeError::LoginNeeded { challenges })) => {
            missing_scopes(challenges)
        }
        _ => None,
    }
}

fn lacking_of(fault: &ExchangeFault) -> Option<String> {
    match fault {
        ExchangeFault::LoginNeeded { challenges }
        | ExchangeFault::Failed(ExchangeError::LoginNeeded { challenges }) => missing_scopes(challenges),
        _ => None,
    }
}

/// Which scopes a server misses that asks for a login, in words that are safe to print; `None` where it misses the login.
#[must_use]
pub fn missing_scopes(challenges: &[String]) -> Option<String> {
    Some(match &*Demand::read(challenges).lacking()? {
        "" => "missing scopes, which the server does not name".to_owned(),
        scopes => format!("missing scopes: {scopes}"),
    })
}

fn needed(challenges: &[String]) -> FailureClass {
    match Demand::read(challenges).is_about_scope() {
        true => FailureClass::MissingScopes,
        false => FailureClass::NeedsLogin,
    }
}

fn of_spawn(cause: &SpawnError) -> FailureClass {
    match cause {
        SpawnError::ProgramNotFound { .. } => FailureClass::CommandNotFound,
        SpawnError::InterpreterNotFound { .. } => FailureClass::InterpreterNotFound,
        SpawnError::ProgramIsDirectory { .. } | SpawnError::ProgramNotExecutable { .. } => {
            FailureClass::NotExecutable
        }
        SpawnError::CwdNotFound { .. }
        | SpawnError::CwdNotDirectory { .. }
        | SpawnError::CwdDenied { .. } => FailureClass::BadCwd,
        _ => FailureClass::SpawnFailed,
    }
}

/// An error and its sources, each once and safe to print: they may hold words of the server.
pub(crate) fn chain(error: &dyn Error, log: &Log) -> Vec<String> {
    let mut causes: Vec<String> = std::iter::successors(Some(error), |&error| error.source())
        .map(|error| log.safe(&error.to_string()))
        .collect();
    causes.dedup();
    causes
}
