//! The command line of a session: every flag that the two SDKs pass, and our own.
//!
//! - `table`: the flags, with what each takes and what it means here
//! - `split`: words become flags with their values
//! - `asked`: what a command line asks for
//! - `is_host`: whether a command line is one of these at all
//! - `help`: the flags, for people

mod asked;
mod help;
mod is_host;
mod split;
mod table;

pub use asked::{Asked, Colour, Input, Output, Refused, Sources};
pub use help::help;
pub use is_host::is_host;
pub(crate) use split::{Word, split};
pub(crate) use table::{Means, TABLE, Takes};
