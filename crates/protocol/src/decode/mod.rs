//! JSON text becomes values, the way `serde_json` reads it and quicker where it matters: most of what a client gets is
//! text and schemas, and the crate looks at each byte of those by itself.
//!
//! `reader` gives the very values that `serde_json::from_str` gives, or none. It says nothing about why: whoever wants
//! to know asks that crate, which is also asked where this one does not try (deep nesting), and reads all numbers.
//! [`one_text`] reads what most calls of tools are answered with, from end to end.

mod cursor;
mod one_text;
mod reader;
mod unescape;

pub(crate) use one_text::one_text;
pub use reader::read_json;
