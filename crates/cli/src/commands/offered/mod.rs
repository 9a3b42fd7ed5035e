//! `mcp resources`, `mcp templates`, `mcp prompts`: what servers offer beside tools.
//!
//! - `kind`: the three kinds, and how each is asked for
//! - `ask`: one server and its list
//! - `list`: every server at once
//! - `table`: lists, printed

mod ask;
mod kind;
mod list;
mod table;

pub(super) use ask::{Answer, ask};
pub(super) use kind::Kind;
pub(super) use list::list;
