//! Changes to one entry of a file; every other byte stays.
//!
//! [`add`], [`remove`] and [`switch`] go from text to text and splice at the positions of the parsed values, so layout,
//! comments, order and unknown members survive. Each result is parsed again and compared with what was wanted before
//! it is given out. [`edit_file`] does the same to a file that other processes edit too; [`init_file`] makes a new one.
//!
//! ```
//! use codewhale_mcp_config::edit::{Definition, Draft, OnExisting, add, remove};
//! use codewhale_mcp_config::{Scope, Source};
//!
//! let source = Source::label("example", Scope::User);
//! let text = "{\n  \"servers\": {} // none yet\n}\n";
//! let draft = Draft { command: Some("srv".into()), args: vec!["-v".into()], ..Draft::default() };
//! let added = add(text, &source, "mine", &Definition::from(&draft), OnExisting::Refuse)?;
//! assert!(added.contains("\"args\": [\"-v\"]"));
//! assert_eq!(remove(&added, &source, "mine")?, text);
//! # Ok::<(), codewhale_mcp_config::edit::EditError>(())
//! ```
//!
//! - `change`: the three changes
//! - `members`: puts a member into an object, or takes it out
//! - `layout`: the line ends, indentation and separators of a file
//! - `splice`: replaces ranges of a text
//! - `verify`: nothing else has changed
//! - `definition`: what is written: from parts, or from a pasted snippet
//! - `snippet`: reads what vendors print on their pages
//! - `on_disk`: under the lock, atomically
//! - `starter`: the file that `init` writes

mod change;
mod definition;
mod error;
mod layout;
mod members;
mod on_disk;
mod snippet;
mod splice;
mod starter;
mod verify;

pub use change::{OnExisting, Switch, add, remove, switch};
pub use definition::{Definition, Draft, DraftTransport};
pub use error::EditError;
pub use on_disk::{EditFileError, Outcome, edit_file, init_file};
pub use snippet::{Snippet, SnippetError, parse_snippet};
pub use starter::STARTER;
