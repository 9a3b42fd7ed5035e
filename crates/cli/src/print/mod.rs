//! Everything that leaves the program, and the only way out.
//!
//! - `line`: a line made of painted pieces, harmless to a terminal from the moment it is made
//! - `table`: lines in columns
//! - `json`: one JSON value on one line, without a raw control character
//! - `hidden`: the known secrets, and the words of ours that they may be
//! - `printer`: the two streams, what is quiet and what has colour
//! - `bar`: a line on a terminal that is drawn again and again
//! - `progress`: how far a call has come, on a terminal or in lines
//! - `waiting`: what is waited for, on a terminal
//! - `screen`: what a test sees of what was written
//! - `size`: a number of bytes and a time, for people

mod bar;
mod hidden;
mod json;
mod line;
mod printer;
mod progress;
#[cfg(test)]
mod screen;
mod size;
mod table;
mod waiting;

pub(crate) use json::one_line;
pub(crate) use line::{Colour, Line, Paint};
pub(crate) use printer::{PrintError, Printer, Setup, Verbosity};
pub(crate) use progress::{Progress, Quiet};
pub(crate) use size::{bytes, time};
pub(crate) use table::{Fit, Table};
pub(crate) use waiting::Waiting;
