//! Stores of credentials that outlive the process: a private file, the system's keyring, and the one or the other.

mod aside;
mod document;
mod file;
pub mod keyring;
mod name;
mod preferred;
mod reason;
mod turns;

pub use file::InFile;
pub use preferred::{Fallback, KeyringOrFile};
