//! `cargo xtask interop`: the client against servers that others wrote.
//!
//! - `verb`: what the verb does, in order
//! - `install`: the servers, pinned, below the target folder
//! - `fuzz`: a minute for each fuzz target (`--full`)

mod fuzz;
mod install;
mod verb;

pub(crate) use verb::{Extent, interop};
