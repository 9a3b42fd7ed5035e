//! How messages travel, and what an exchange brings where an answer should have been.

use std::fmt;

use codewhale_mcp_protocol::{ErrorObject, Revision};

use crate::{Step, Ticket};

/// How messages travel on a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Binding {
    /// In one stream each way: a process, or memory. Silence on the probe means a legacy server.
    #[default]
    Stream,
    /// In an exchange of its own each (MCP 2026-07-28, basic/transports/streamable-http). Silence means nothing, a
    /// status may; a modern request is cancelled by ending its exchange.
    Streamable {
        /// Whether there is another way to the server when this one is turned down.
        has_other_way: bool,
    },
    /// By the deprecated HTTP+SSE transport, which only legacy servers have (MCP 2024-11-05, basic/transports).
    EventStream,
}

/// What an exchange brought instead of the answer to its request.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The status code. One that says success means that nothing in it was an answer.
    pub status: u16,
    /// The JSON-RPC error in its body.
    pub error: Option<ErrorObject>,
    /// The beginning of a body that says something else.
    pub said: Option<String>,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)?;
        match (&self.error, &self.said) {
            (Some(error), _) => write!(f, ": {error}"),
            (None, Some(said)) => write!(f, ": {said}"),
            (None, None) if self.status < 300 => f.write_str(" without an answer"),
            (None, None) => Ok(()),
        }
    }
}

/// A request of the handshake that was turned down.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// What was tried.
    pub way: Attempted,
    /// What came of it, in words.
    pub found: String,
}

/// What was tried to open a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempted {
    /// A message of the handshake was posted.
    Post(Step),
    /// The event stream of the HTTP+SSE transport was asked for.
    EventStream,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            Attempted::Post(step) => write!(f, "POST {step}: {}", self.found),
            Attempted::EventStream => write!(f, "GET of an event stream (HTTP+SSE): {}", self.found),
        }
    }
}

/// The request of the handshake that waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// Its ticket.
    pub ticket: Ticket,
    /// Which one it is.
    pub step: Step,
    /// The revision that it is written in, if it names one.
    pub revision: Option<Revision>,
}
