//! `mcp call`: one call of one tool.
//!
//! - `run`: connect, find the tool, ask, call, print
//! - `given`: the arguments as they stand on the command line
//! - `task`: a call that becomes a task
//! - `tool`: which tool is meant, and whether it may be called

mod given;
mod run;
mod task;
mod tool;

pub(super) use run::call;
pub(super) use tool::{find, kept_back};
