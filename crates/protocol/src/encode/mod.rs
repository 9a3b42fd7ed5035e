//! Values become JSON text, the way `serde_json` writes it and quicker where it matters: most of what a client sends
//! is text, and `serde_json` looks at each byte of a text by itself.
//!
//! [`write_json`] gives the very bytes that `serde_json::to_writer` gives, but on one line: the line breaks of a text
//! that is JSON already become spaces. Whatever is not text or structure is left to that crate.

mod compound;
mod escape;
mod key;
mod writer;

pub(crate) use writer::RAW;
pub use writer::write_json;
