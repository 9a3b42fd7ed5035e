//! `read_file`: a file, a page at a time.
//!
//! - `file`: the tool
//! - `lines`: lines within bounds
//! - `media`: what a file holds, by its name

mod file;
mod lines;
mod media;

pub use file::{As, FileRead, ReadFile, read_file};
