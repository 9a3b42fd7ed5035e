//! JSON with comments and trailing commas, with the position of everything in it.
//!
//! - `document`: a text, parsed, whose offsets turn into places
//! - `parse`: from text to nodes
//! - `node`: the values, with their byte ranges
//! - `lines`: from offsets to lines and columns
//! - `error`: why a text is refused
//! - `excerpt`: the offending line with a caret, without secrets
//! - `print`: nodes as text, canonical or in the style of a file

mod document;
mod error;
mod excerpt;
mod lines;
mod node;
mod parse;
mod print;

pub(crate) use document::{Document, Token, TokenKind, strip_bom};
pub use error::{ParseError, ParseReason};
pub(crate) use excerpt::toml_excerpt;
pub(crate) use lines::Lines;
pub(crate) use node::{Data, Member, Node};
pub(crate) use print::{Style, canonical, print_member, push};
