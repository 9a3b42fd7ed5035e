//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod definitions;
mod edits;
mod edits_any;
mod expansion;
mod flags;
mod locations;
mod merging;
mod on_disk;
mod parsing;
mod secrets;
mod settings;
mod snippets;
mod timeouts;
