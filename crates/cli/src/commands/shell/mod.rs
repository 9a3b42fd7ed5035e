//! What describes the command line to others.
//!
//! - `scripts`: completion scripts, which ask us for names
//! - `names`: names that a word on the command line could become
//! - `manual`: manual pages

mod manual;
mod names;
mod scripts;

pub(super) use manual::man;
pub(crate) use names::{NAMES_VERB, names};
pub(super) use scripts::completions;
