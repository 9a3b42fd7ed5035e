//! The rest of the protocol: what a server may offer beyond tools that answer at once.

mod changes;
mod completion;
mod everything;
mod hostile;
mod input;
mod logging;
mod prompts;
mod resources;
mod results;
mod tasks;

pub(crate) use everything::{EVERYTHING_FLAGS, everything};
pub(crate) use hostile::hostile_text;
pub(crate) use input::fault;
pub(crate) use logging::LEVELS;
