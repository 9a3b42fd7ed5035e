//! A scripted model: an OpenAI-compatible chat API on the loopback interface that answers what a script says.
//!
//! - `script`: the answers, one for each request
//! - `spoken`: an answer as the API's own pieces of JSON
//! - `reply`: an answer on its way, and how it is spoilt
//! - `fake`: the server
//! - `program`: the server as a process

mod fake;
mod program;
mod reply;
mod script;
mod spoken;

pub use fake::ModelFake;
pub(crate) use program::select;
