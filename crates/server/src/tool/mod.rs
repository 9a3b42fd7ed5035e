//! Tools: a function, and what clients are told of it.
//!
//! - `route`: a tool and what answers it
//! - `output`: what a function may answer
//! - `schema`: schemas from types
//! - `check`: whether arguments are what a schema says

mod check;
mod output;
mod route;
mod schema;

pub use output::{Structured, ToolOutput};
pub use route::{NoArguments, ToolRoute, raw_tool, tool};
pub(crate) use route::{TaskPolicy, concluded};
pub(crate) use schema::{for_input, members};
