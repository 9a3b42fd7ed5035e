//! What a connection is made of, whatever carries it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{ExchangeError, Exchanges};

/// Opens connections to one MCP server, as often as it is asked to.
///
/// A client takes a connector and not a [`Link`], because one logical connection can need several links: a
/// legacy server that dies on an unknown first message is started again, a crashed server is started again,
/// a lost session is opened again.
#[async_trait]
pub trait Connector: Send + Sync {
    /// Opens one link.
    ///
    /// # Errors
    /// [`OpenError`] says what could not be opened and why. Nothing stays behind when it fails.
    async fn open(&self, way: Way) -> Result<Link, OpenError>;
}

/// Which of a connector's ways to a server is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// The first one, the only one for most.
    #[default]
    First,
    /// The deprecated HTTP+SSE transport (MCP 2024-11-05), where the first way turned out to be closed. A connector
    /// that has no other way opens its first one.
    EventStream,
}

/// One open way to a server.
#[non_exhaustive]
pub enum Link {
    /// Newline-delimited JSON both ways (MCP 2026-07-28, basic/transports/stdio).
    Lines(Lines),
    /// An exchange for each message (MCP 2026-07-28, basic/transports/streamable-http).
    Exchanges(Exchanges),
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(lines) => f.debug_tuple("Lines").field(&lines.peer).finish(),
            Self::Exchanges(exchanges) => exchanges.fmt(f),
        }
    }
}

/// A byte stream in each direction and the peer that stands behind them.
pub struct Lines {
    /// Where frames go. Each frame ends with one `\n`.
    pub outlet: Outlet,
    /// Where the server's bytes come from, in any chunking.
    pub inlet: Box<dyn AsyncRead + Send + Unpin>,
    /// The other end itself.
    pub peer: Arc<dyn Peer>,
}

/// The writing half of a [`Lines`] link.
#[non_exhaustive]
pub enum Outlet {
    /// A pipe that takes bytes without waiting, so that a caller can write its own request.
    #[cfg(unix)]
    Pipe(tokio::net::unix::pipe::Sender),
    /// Anything else: only one task writes, callers leave their bytes to it.
    Stream(Box<dyn AsyncWrite + Send + Unpin>),
}

/// The other end of a link: how it ended and how to end it.
#[async_trait]
pub trait Peer: Send + Sync + fmt::Debug {
    /// Waits until the peer is gone and says how. May be called any number of times, also at the same time.
    async fn gone(&self) -> End;

    /// Ends the peer in the transport's own orderly way and waits until it is gone. Idempotent.
    ///
    /// The writing half must be dropped before, or at the same time: for a process, its standard input
    /// closing is the first request to leave.
    async fn stop(&self) -> End;

    /// The last lines the peer wrote beside the protocol (standard error of a process), oldest first, control
    /// characters as they came.
    fn last_words(&self) -> Vec<String>;
}

/// How a peer ended. A fact, not a judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// A process ended by itself with this exit code.
    Exited(i32),
    /// A process was ended by this signal (its number).
    Signaled(i32),
    /// The stream closed; nothing more is known.
    Closed,
    /// How it ended could not be found out.
    Unknown(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signaled(signal) => write!(f, "was ended by signal {signal}"),
            Self::Closed => f.write_str("closed the connection"),
            Self::Unknown(why) => write!(f, "ended in an unknown way: {why}"),
        }
    }
}

/// A link could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The server's process could not be started.
    #[cfg(feature = "stdio")]
    #[error(transparent)]
    Spawn(#[from] codewhale_mcp_process::SpawnError),
    /// The exchange that opens the link came to nothing.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The server does not open an event stream.
    #[error("the server does not open an event stream: {reason}")]
    NoEventStream {
        /// The status code of its answer.
        status: u16,
        /// What came instead, in words.
        reason: String,
    },
    /// The event stream names no address that messages may be sent to.
    #[error("the event stream cannot be used: {reason}")]
    Endpoint {
        /// What is wrong with it.
        reason: String,
    },
    /// The connector has no more links to give (a memory link is opened once).
    #[error("this connector has been used up")]
    Exhausted,
    /// The system refused something that the link needs.
    #[error("cannot {action}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
}
