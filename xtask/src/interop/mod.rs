//! `cargo xtask interop`: the client against servers that others wrote.
//!
//! - `verb`: what the verb does, in order
//! - `install`: the servers, pinned, below the target folder
//! - `rounds`: processes that share a login, and one of them killed (`--full`)
//! - `fuzz`: a minute for each fuzz target (`--full`)

mod fuzz;
mod install;
mod rounds;
mod verb;

pub(crate) use verb::{Extent, interop};
