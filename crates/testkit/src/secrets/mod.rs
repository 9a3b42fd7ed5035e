//! Whether what was secret on the wire is seen elsewhere.
//!
//! - `known`: what is secret, and where it is seen
//! - `command_lines`: what every process of a machine may read of others

mod command_lines;
mod known;

pub use command_lines::CommandLines;
pub use known::Secrets;
