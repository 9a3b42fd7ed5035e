//! Telling clients that something changed.
//!
//! - `changes`: the handle that a server's owner says it with
//! - `listener`: what one subscription, or one legacy session, has not heard yet
//! - `listen`: the modern request that stays open

mod changes;
mod listen;
mod listener;

pub use changes::Changes;
pub(crate) use changes::Hub;
pub(crate) use listen::{listen, notification};
pub(crate) use listener::{Listener, News};
