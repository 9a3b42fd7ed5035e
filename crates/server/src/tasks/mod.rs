//! Requests that go on after their answer: the tasks of 2025-11-25, which a client asks for, and the modern extension
//! `io.modelcontextprotocol/tasks`, where the server decides. Both are kept in one place; a task has the form of the
//! revision that it was begun in, and is there for requests of that era.
//!
//! ```text
//!   tools/call ──▶ working ──▶ completed | failed
//!                   │   ▲
//!      it asks      ▼   │ tasks/update, or an answer to a request of ours while tasks/result waits (2025-11-25)
//!               input_required        tasks/cancel, or too old: cancelled
//! ```
//!
//! - `becoming`: whether a call becomes a task, and in what form that is told
//! - `entry`: one task
//! - `kept`: all tasks of a server
//! - `methods`: what modern clients may ask of them; `in_session`: what those of 2025-11-25 may
//! - `clock`: the time of day, as text

mod becoming;
mod clock;
mod entry;
mod in_session;
mod kept;
mod methods;

pub(crate) use becoming::{Times, becomes_one, capability, made};
pub(crate) use entry::Entry;
pub(crate) use in_session::{answer_in_session, is_of_session};
pub(crate) use kept::Tasks;
pub(crate) use methods::{answer, require_declared};
