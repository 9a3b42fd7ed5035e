//! A child and its descendants: one process group with a leader, seen to its end.
//!
//! The leader is observed to leave without being reaped, so that its number, which is the group's too, cannot be
//! given to anybody else before the group was told to leave:
//!
//! ```text
//! running --leader has left--> leader unreaped --signal group, reap--> group without leader --> empty
//! ```

mod ask;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod watch;

pub(crate) use ask::Ask;
#[cfg(not(unix))]
pub(crate) use other::Family;
#[cfg(unix)]
pub(crate) use unix::Family;
#[cfg(unix)]
pub(crate) use watch::{Watch, reap_when_gone};
