//! A server that costs little: it finds what it needs in a message without reading the rest, and answers with bytes
//! that it has already.
//!
//! - `run`: the command line
//! - `scan`: finds the members of a JSON object
//! - `answer`: what is answered to a message
//! - `tools`: the lists of tools
//! - `stdio`, `http`: the two ways a message comes
//! - `exchange`: one HTTP request and its answer

mod answer;
mod exchange;
mod http;
mod inbox;
mod run;
mod scan;
mod stdio;
mod tools;

pub use run::run;
