//! A session of the legacy era: what `initialize` began, and what belongs to it until it ends.
//!
//! - `handle`: the session itself
//! - `opening`: the handshake, as a decision

mod handle;
mod opening;

pub(crate) use handle::cancelled;
pub use handle::{Events, Session};
#[cfg(feature = "http")]
pub(crate) use opening::no_sessions;
pub(crate) use opening::{Opening, opening, unsupported};
