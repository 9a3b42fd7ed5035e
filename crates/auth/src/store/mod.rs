//! Stores of credentials that outlive the process: a private file, the system's keyring, and the one or the other. What
//! is known of them without a look stands in notes.

mod aside;
mod document;
mod file;
pub mod keyring;
mod name;
mod note;
mod noted;
mod preferred;
mod reason;
mod turns;

pub use file::InFile;
pub use note::{Asked, Note, NoteOf, Notes};
pub use noted::{Hear, Noted};
pub use preferred::{Fallback, KeyringOrFile};
