//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod browsers;
mod callback_pages;
mod callback_port;
mod in_file;
mod in_keyring;
mod kept;
mod keyring_or_file;
mod pasted;
mod person;
mod processes;
mod vault;
