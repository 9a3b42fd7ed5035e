//! Everything outside of the program, as an argument.
//!
//! - `world`: the outside as a value
//! - `real`: the outside as it is
//! - `output`: a stream, and whether a person looks at it
//! - `person`: someone who answers questions
//! - `asking`: someone who is asked from many tasks, one after the other
//! - `signals`: someone who wants us to stop
//! - `held`: signals that wait while somebody gets ready to hear them

mod asking;
#[cfg(unix)]
mod held;
mod output;
mod person;
mod real;
mod signals;
#[expect(clippy::module_inception, reason = "the file is named for its type")]
mod world;

pub use output::{Output, Terminal};
pub use person::Person;
pub use signals::{Signal, Signals};
pub use world::{OpenKeyring, Streams, World};

pub(crate) use asking::{Asking, Typed};
pub(crate) use person::piped;
pub(crate) use signals::Interrupts;
pub(crate) use world::variable;
