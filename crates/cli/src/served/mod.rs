//! `codewhale serve --mcp`: being a server. Only the protocol leaves on standard output.
//!
//! - `run`: from the arguments to an exit code
//! - `listening`: over HTTP
//! - `offered`: what is served, by the user's settings and the arguments

mod listening;
mod offered;
mod run;

pub(crate) use offered::allowed;
pub(crate) use run::run;
