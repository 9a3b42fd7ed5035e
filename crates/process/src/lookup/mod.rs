//! Finding the file behind a program's name, as a pure function over a view of the file system.
//!
//! [`find`] asks `unix` or `windows` for the candidates of a [`Search`] and takes the first that
//! [`Files`] calls executable. Both rule sets are plain text work, so each is tested on every system.

mod files;
mod search;
mod unix;
mod windows;

pub use files::{Files, Kind, RealFiles};
pub use search::{Miss, Rules, Search, find};
