//! One connection to an MCP server as a pure state machine.
//!
//! It knows the order of things: which era a server belongs to, which id belongs to which request, when a
//! request has run out of time, what the server may ask and what it is answered. It does not know clocks,
//! tasks, pipes or payloads: time is an argument, frames are bytes that the caller reads and writes, results
//! stay where they are in the frame.
//!
//! Nothing here holds a list of messages. A request gets a [`Ticket`], a reply names that ticket and the place
//! of its payload ([`Received::Reply`]), and whatever has to leave is written at the end of the buffer that
//! the caller passes in.
//!
//! ```
//! use std::time::Duration;
//! use codewhale_mcp_session::{Budget, Received, Session, Settings, Verdict};
//!
//! let (mut session, now, mut out) = (Session::new(Settings::default()), Duration::ZERO, Vec::new());
//! session.opened(now, &mut out);
//! assert!(out.starts_with(br#"{"jsonrpc":"2.0","id":1,"method":"server/discover""#));
//!
//! let answer = br#"{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}"#;
//! assert!(matches!(session.receive(now, answer, &mut out), Received::Verdict(Verdict::Ready(_))));
//!
//! let ticket = session.reserve(now, Budget::total(Duration::from_secs(30)))?;
//! out.clear();
//! let pen = session.pen().expect("the handshake is over");
//! pen.request(ticket.id(), "tools/call", &serde_json::json!({"name": "echo"}), &mut out)?;
//!
//! let frame = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, ticket.id());
//! let Received::Reply { ticket: whose, reply } = session.receive(now, frame.as_bytes(), &mut out) else {
//!     panic!("a reply")
//! };
//! assert_eq!(whose, ticket);
//! assert_eq!(reply.decode::<serde_json::Value>(frame.as_bytes())?, serde_json::json!({}));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asks;
mod clock;
mod era;
mod established;
mod exchange;
mod exchanged;
mod handshake;
mod outcome;
mod pen;
mod receive;
mod rounds;
mod session;
mod settings;
mod slots;

pub use asks::Ask;
pub use established::{EraReason, Established};
pub use exchange::{Asking, Attempt, Attempted, Binding, Unanswered};
pub use handshake::{HandshakeError, Probed, Step};
pub use outcome::{Closed, Expired, Ignored, Received, Verdict};
pub use pen::{EncodeError, More, Pen};
pub use rounds::{Round, RoundError, Rounds};
pub use session::Session;
pub use settings::{EraChoice, Limits, Memory, Settings};
pub use slots::{Budget, Full, Ticket};

/// The time since some moment that the owner of a session chose, the same for all calls.
pub type Time = std::time::Duration;
