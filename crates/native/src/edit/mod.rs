//! Changing files: `write_file` and `edit_file`. An operator has to allow them.
//!
//! - `target`: where may be written, and how
//! - `write`: the tool `write_file`
//! - `change`: the tool `edit_file`
//! - `near`: what comes near a text that is not there

mod change;
mod near;
mod target;
mod write;

pub use change::{Change, EditFile, FileEdited, edit_file};
pub use write::{FileWritten, WriteFile, write_file};
