//! Text and values that are safe to print.
//!
//! Everything that a program shows or logs about servers passes through here: [`Secret`] holds a value that never
//! prints, [`safe_text`] and [`safe_line`] make the bytes of a stranger harmless to a terminal, [`safe_url`] and
//! [`safe_args`] hide what looks like a credential, and a [`Redactor`] hides the credentials that are known.
//!
//! The crate knows nothing of servers, files or protocols, and it is no guarantee: a password that looks like a word
//! and stands where no name announces it can only be hidden by a [`Redactor`] that was told of it.
//!
//! ```
//! use codewhale_mcp_redact::{Redactor, Secret, safe_args, safe_line, safe_url};
//!
//! let token = Secret::new("hunter2-hunter2".to_owned());
//! assert_eq!(format!("{token:?}"), "REDACTED");
//! assert_eq!(safe_line("ok\u{1b}[2J"), "ok\\u{1b}[2J");
//! assert_eq!(safe_url("https://me:pw@host.test/x?api_key=1"), "https://REDACTED@host.test/x?api_key=REDACTED");
//! assert_eq!(safe_args(&["--token", "abc"]), ["--token", "REDACTED"]);
//! let redactor = Redactor::from_iter([&token]);
//! assert_eq!(redactor.apply("said hunter2-hunter2 aloud"), "said REDACTED aloud");
//! ```

mod address;
mod args;
mod detect;
mod forms;
mod json;
mod ordinary;
mod redactor;
mod secret;
mod spans;
mod text;
mod words;

pub use address::{safe_url, secrets_in_url};
pub use args::{safe_args, secrets_in_args};
pub use detect::{is_secret_name, looks_like_secret};
pub use json::map_strings;
pub use ordinary::is_ordinary;
pub use redactor::{MIN_SECRET_LENGTH, Redactor};
pub use secret::Secret;
pub use text::{safe_json, safe_line, safe_text};

/// What stands in the place of a hidden value, everywhere.
pub const REDACTED: &str = "REDACTED";
