//! Requests that go on after their answer: the modern extension `io.modelcontextprotocol/tasks`.
//!
//! ```text
//!   tools/call ──▶ working ──▶ completed | failed
//!                   │   ▲
//!      it asks      ▼   │ tasks/update
//!               input_required        tasks/cancel, or too old: cancelled
//! ```
//!
//! - `entry`: one task
//! - `kept`: all tasks of a server
//! - `methods`: what clients may ask of them
//! - `clock`: the time of day, as text

mod clock;
mod entry;
mod kept;
mod methods;

pub(crate) use entry::Entry;
pub(crate) use kept::Tasks;
pub(crate) use methods::{answer, declares, require_declared};
