//! The session: prompts are taken one after the other, and whatever else comes in is answered meanwhile.
//!
//! ```text
//!            a prompt                  the window closes
//!   resting ─────────► first prompt waits ─────────► a turn is taken ──► resting
//!      │                                                  ▲    │
//!      └── a prompt that is not the first ────────────────┘    └── the next one that waits
//! ```
//!
//! - `host`: what exists before the servers do: the way out, and the caller
//! - `setup`: what a session is told
//! - `run`: the session itself
//! - `stage`: what it is at
//! - `prompts`: a prompt is taken, waits, and ends
//! - `controls`: what the caller wants besides
//! - `servers`: servers as the caller is told of them, and those that it brings
//! - `troubles`: what is said on the side of servers that cannot be used

mod controls;
mod host;
mod prompts;
mod run;
mod servers;
mod setup;
mod stage;
mod troubles;

pub use host::Host;
pub use run::{Ended, How};
pub use setup::{Reread, Rules, Setup, Talk};
