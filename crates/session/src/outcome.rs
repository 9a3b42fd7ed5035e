//! What the owner of a session is told.

use std::borrow::Cow;
use std::time::Duration;

use codewhale_mcp_protocol::{NotAMessage, Reply};
use serde_json::value::RawValue;

use crate::{Ask, Established, HandshakeError, Ticket};

/// What one frame meant.
#[derive(Debug)]
#[non_exhaustive]
pub enum Received<'f> {
    /// The answer to a request; the ticket is used up.
    Reply {
        /// Whose answer it is.
        ticket: Ticket,
        /// Where it stands in the frame.
        reply: Reply,
    },
    /// The answer to a request is not one; the ticket is used up.
    BrokenReply {
        /// Whose answer it should have been.
        ticket: Ticket,
        /// What is wrong with it.
        fault: NotAMessage,
    },
    /// A request has come further; it still waits.
    Progress {
        /// Whose progress it is.
        ticket: Ticket,
        /// The params of the notification.
        params: &'f RawValue,
    },
    /// The server says something of its own accord.
    Notification {
        /// What it is about.
        method: Cow<'f, str>,
        /// The content.
        params: Option<&'f RawValue>,
        /// The listen request it belongs to (MCP 2026-07-28, basic/patterns/subscriptions).
        subscription: Option<Ticket>,
    },
    /// The server ended a listen request; the ticket is used up.
    ListenEnded {
        /// Which one.
        ticket: Ticket,
    },
    /// A legacy server wants something that we said we can do.
    Request {
        /// What the answer is handed in with.
        ask: Ask,
        /// The request's id as it came, which the answer carries.
        id: &'f RawValue,
        /// What is wanted.
        method: Cow<'f, str>,
        /// With what.
        params: Option<&'f RawValue>,
    },
    /// The server no longer wants the answer to its request, and must not get one.
    RequestCancelled {
        /// Which one.
        ask: Ask,
    },
    /// The server says that it could not read something we wrote, without saying what.
    PeerError {
        /// The error object.
        error: &'f RawValue,
    },
    /// The handshake came to an end.
    Verdict(Verdict),
    /// The frame was dealt with and changes nothing for the owner: a step of the handshake, or a request of
    /// the server that was answered.
    Handled,
    /// The frame was dropped.
    Ignored(Ignored),
}

/// How a handshake ended.
#[derive(Debug)]
pub enum Verdict {
    /// Requests may be sent.
    Ready(Box<Established>),
    /// The server has to be opened once more; the session knows what to do differently then.
    Reopen,
    /// The server cannot be used.
    Failed(Box<HandshakeError>),
}

/// Why a frame was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ignored {
    /// It is not a message: output of a program that does not keep its standard output clean.
    #[error("{0}")]
    NotAMessage(NotAMessage),
    /// An answer to a request that was cancelled or ran out of time.
    #[error("a late answer to request {0}")]
    LateReply(u64),
    /// An answer to a request that was never made, or was answered before.
    #[error("an answer to no request of ours")]
    UnknownReply,
    /// Progress of a request that is over or never was.
    #[error("progress of no request of ours")]
    UnknownProgress,
    /// The cancellation of no request that can be cancelled.
    #[error("a cancellation of no open request")]
    UnknownCancellation,
    /// A request from a modern server, which must not send any (MCP 2026-07-28, basic/transports/stdio).
    #[error("a request from a modern server")]
    RequestFromModernServer,
}

/// A deadline that passed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Expired {
    /// A request ran out of time; the server was told, and the ticket is used up.
    Request {
        /// Whose time is over.
        ticket: Ticket,
        /// The limit on silence that ran out, or `None` for the whole budget.
        idle: Option<Duration>,
    },
    /// The handshake came to an end.
    Verdict(Verdict),
}

/// What the end of a link means.
#[derive(Debug)]
pub enum Closed {
    /// During the handshake.
    Verdict(Verdict),
    /// After it: every request that waits has failed.
    Over,
}
