//! The tools as an MCP server.
//!
//! - `permit`: the tools that an operator has to allow
//! - `offer`: what a server offers, and its end
//! - `tools`: each tool with its name, its description and its hints
//! - `work`: work on a thread of its own, which ends with its call
//! - `answer`: an answer for programs and, in other words, for models
//! - `render`: those words

mod answer;
mod offer;
mod permit;
mod render;
mod tools;
mod work;

pub use offer::{Native, Options, server};
pub use permit::{NoPermit, Permit};
