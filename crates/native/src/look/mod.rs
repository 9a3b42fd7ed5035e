//! Looking around: `list_directory`, `find_files` and `search_text`.
//!
//! - `directory`: the tool `list_directory`
//! - `walk`: every file below a directory, in order, without those that are ignored
//! - `ignored`: what `.gitignore` and its like leave out
//! - `globs`: patterns of paths
//! - `find`: the tool `find_files`
//! - `search`: the tool `search_text`
//! - `matches`: what a search found in one file

mod directory;
mod find;
mod globs;
mod ignored;
mod matches;
mod search;
mod walk;

pub use directory::{Entry, EntryKind, ListDirectory, Listed, list_directory};
pub use find::{FilesFound, FindFiles, find_files};
pub use matches::{Context, Match};
pub use search::{Case, SearchText, TextFound, search_text};
