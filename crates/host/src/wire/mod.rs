//! Messages on standard input and output: a JSON object a line.
//!
//! - `lines`: bytes become lines, on a thread that may block
//! - `incoming`: what a line of the input says
//! - `prompt`: what a user's message says
//! - `control`: requests on both sides that are no prompts, and their answers
//! - `outgoing`: the messages of the output
//! - `told`: the messages about servers
//! - `stamp`: what makes every message one of its own
//! - `outbox`: lines leave on a thread that may block

mod control;
mod incoming;
mod lines;
mod outbox;
mod outgoing;
mod prompt;
mod stamp;
mod told;

pub(crate) use control::{Answer, Initialize, Request, given, is_object};
pub(crate) use incoming::Incoming;
pub use lines::Line;
pub(crate) use lines::{Lines, read_lines};
pub(crate) use outbox::Outbox;
pub(crate) use outgoing::{CallEnd, Ending, Init, Messages, Said};
pub(crate) use prompt::Prompt;
pub(crate) use stamp::{Stamp, uuid};
pub(crate) use told::{ToldServer, mcp_status};
