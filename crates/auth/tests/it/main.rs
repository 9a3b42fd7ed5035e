//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod authorized;
mod browsers;
mod callback_pages;
mod callback_port;
mod challenges;
mod clients;
mod found;
mod in_file;
mod in_keyring;
mod kept;
mod keyring_or_file;
mod left;
mod noted;
mod over_loopback;
mod pasted;
mod person;
mod places;
mod play;
mod processes;
mod renewed;
mod scopes;
mod signed;
mod token_replies;
mod vault;
mod without_browser;
mod world;
