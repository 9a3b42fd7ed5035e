//! The words of the Model Context Protocol: message envelopes, wire types, framing.
//!
//! This crate knows what messages look like in every revision and how bytes become messages. It does not know
//! who sends what when (that is `session`), and it does no input or output.
//!
//! Three rules hold for every type here:
//! - Objects are open: members that a type does not name survive decoding and encoding, in its `extra`.
//! - What a peer defines and we only hand on (a schema, a result's `structuredContent`) stays the text that
//!   came, as [`Json`].
//! - An optional member that is `null` counts as absent, save where the specification gives `null` a meaning.
//!
//! The main types: [`Revision`], [`Message`], [`Reply`], [`LineScanner`], [`Tool`], [`CallToolResult`].
//!
//! ```
//! use codewhale_mcp_protocol::{CallToolResult, Message};
//!
//! let line = br#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"hi"}],"x-new":1}}"#;
//! let Message::Result { id, result } = Message::parse(line)? else { panic!("a result") };
//! assert_eq!(id.get(), "7");
//! let result: CallToolResult = serde_json::from_str(result.get())?;
//! assert_eq!(result.content[0].text.as_deref(), Some("hi"));
//! assert_eq!(result.extra.member("x-new").map(|value| value.as_str()), Some("1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod capabilities;
mod content;
mod discover;
mod envelope;
mod error;
mod initialize;
mod json;
mod line;
pub mod meta;
pub mod method;
mod notification;
mod open;
mod reply;
mod revision;
mod tools;

pub use capabilities::*;
pub use content::*;
pub use discover::*;
pub use envelope::*;
pub use error::*;
pub use initialize::*;
pub use json::*;
pub use line::*;
pub use notification::*;
pub use open::*;
pub use reply::*;
pub use revision::*;
pub use tools::*;
