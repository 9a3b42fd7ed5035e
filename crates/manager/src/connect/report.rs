//! What became of one server.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Established, ListWarning};
use codewhale_mcp_protocol::Tool;

use super::failure::{Failure, chain};
use crate::SchemaFault;
use crate::logs::Log;

/// What became of one server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// Its name in the configuration.
    pub server: String,
    /// How it is.
    pub outcome: Outcome,
    /// What is odd about it, while it can be used, and what its standard output holds that is no message.
    pub warnings: Vec<Oddity>,
    /// How long it took.
    pub elapsed: Elapsed,
    /// How often its process was started: a server that ends at an unknown first message is started again.
    pub starts: u32,
    /// The last lines of its standard error, oldest first, safe to print and without known secrets.
    pub stderr: Vec<String>,
}

/// How a server is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Outcome {
    /// It can be used.
    Ready(Ready),
    /// It is alive, and something is wrong with its list of tools.
    Degraded(Ready, Degradation),
    /// It cannot be used.
    Failed(Failure),
}

/// A server that is alive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ready {
    /// What it said about itself. Its words may hold anything.
    pub established: Established,
    /// How it is spoken to.
    pub transport: TransportUsed,
    /// Its tools that the configuration offers, in the server's order, each name once.
    pub tools: Vec<Tool>,
    /// How many of its tools the configuration does not offer.
    pub not_offered: usize,
}

/// The transport that a server is spoken to over. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportUsed {
    /// Standard input and output of a process.
    Stdio,
    /// Streamable HTTP.
    StreamableHttp,
    /// The deprecated HTTP+SSE.
    HttpSse,
}

/// What is wrong with a list of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degradation {
    /// What kind of fault.
    pub class: DegradationClass,
    /// What went wrong and why, the outermost first; each a line that is safe to print.
    pub causes: Vec<String>,
}

/// What kind of fault a list of tools has. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DegradationClass {
    /// The server answered with an error, or with something that is no list.
    ListFailed,
    /// The server did not answer in time.
    ListTimedOut,
    /// The list has no end.
    ListEndless,
    /// The list is empty, though the server says that it has tools.
    ListEmpty,
}

/// Something odd about a server, a tool or a list that can be used all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Oddity {
    /// It sends more than messages, on its standard output or in its streams. Said once, however many lines there are.
    #[error("it sends lines that are no messages, the first is `{line}`")]
    Noise {
        /// The beginning of the first such line, safe to print and without known secrets.
        line: String,
    },
    /// A tool's input schema is not what it should be.
    #[error("tool `{tool}`: {fault}")]
    Schema {
        /// The tool, safe to print.
        tool: String,
        /// What is wrong.
        fault: SchemaFault,
    },
    /// A tool is listed more than once; the first one counts.
    #[error("tool `{tool}` is listed more than once")]
    ListedTwice {
        /// The tool, safe to print.
        tool: String,
    },
    /// A tool cannot be called over HTTP and is not offered: it asks wrongly for headers.
    #[error("tool `{tool}` is left out: {reason}")]
    LeftOut {
        /// The tool, safe to print.
        tool: String,
        /// What is wrong with it, safe to print.
        reason: String,
    },
    /// Something about the list as a whole.
    #[error(transparent)]
    List(#[from] ListWarning),
}

/// How long a server took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Elapsed {
    /// Until the handshake was over, or had failed.
    pub connect: Duration,
    /// Until its list was read, or had failed; `None` if it was not asked.
    pub list: Option<Duration>,
}

impl Elapsed {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.connect + self.list.unwrap_or_default()
    }
}

/// How bad an outcome is, for an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong.
    Good,
    /// It can be used in part.
    Degraded,
    /// A login is missing.
    NeedsLogin,
    /// Policy, trust or a missing consent holds it up.
    Blocked,
    /// It cannot be used.
    Failed,
}

impl Severity {
    /// `ready`, `degraded`, `needs_login`, `blocked` or `failed`.
    #[must_use]
    pub const fn state(self) -> &'static str {
        match self {
            Self::Good => "ready",
            Self::Degraded => "degraded",
            Self::NeedsLogin => "needs_login",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
        }
    }
}

impl Outcome {
    /// `ready`, `degraded`, `needs_login`, `blocked` or `failed`.
    #[must_use]
    pub fn state(&self) -> &'static str {
        self.severity().state()
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::Ready(_) => Severity::Good,
            Self::Degraded(..) => Severity::Degraded,
            Self::Failed(failure) => failure.class.severity(),
        }
    }

    /// The server, if it is alive.
    #[must_use]
    pub fn ready(&self) -> Option<&Ready> {
        match self {
            Self::Ready(ready) | Self::Degraded(ready, _) => Some(ready),
            Self::Failed(_) => None,
        }
    }
}

impl TransportUsed {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::StreamableHttp => "streamable-http",
            Self::HttpSse => "http+sse",
        }
    }
}

impl DegradationClass {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ListFailed => "list_failed",
            Self::ListTimedOut => "list_timed_out",
            Self::ListEndless => "list_endless",
            Self::ListEmpty => "list_empty",
        }
    }
}

impl Degradation {
    pub(crate) fn of_list(error: &CallError, log: &Log) -> Self {
        let class = match error {
            CallError::ServerTimedOut { .. } | CallError::ServerSilent { .. } => {
                DegradationClass::ListTimedOut
            }
            CallError::ServerRepeatsCursor { .. } | CallError::ServerListTooLong { .. } => {
                DegradationClass::ListEndless
            }
            _ => DegradationClass::ListFailed,
        };
        Self { class, causes: chain(error, log) }
    }

    pub(crate) fn empty() -> Self {
        let cause = "the server says that it has tools, and lists none";
        Self { class: DegradationClass::ListEmpty, causes: vec![cause.to_owned()] }
    }
}
