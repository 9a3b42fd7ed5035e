//! The words of the Model Context Protocol: message envelopes, wire types, framing.
//!
//! This crate knows what messages look like in every revision and how bytes become messages. It does not know
//! who sends what when (that is `session`), and it does no input or output.
//!
//! Three rules hold for every type here:
//! - Objects are open: members that a type does not name survive decoding and encoding, in its `extra`. One type
//!   holds an object of all revisions, with the members of each; words outside a list of known words survive too.
//! - What a peer defines and we only hand on (a schema, a result's `structuredContent`) stays the text that
//!   came, as [`Json`]; what an object can do without (`_meta`, icons) stays text until asked, as [`Verbatim`].
//! - An optional member that is `null` counts as absent, save where the specification gives `null` a meaning.
//!   A flag that is documented to be off when absent is not written when it is off.
//!
//! # Overview
//!
//! - Messages: [`Message`] and [`Reply`] read what comes, [`Request`], [`Notification`], [`ResultResponse`] and
//!   [`ErrorResponse`] are whole messages as values; [`RequestId`], [`method`], [`ErrorObject`] and [`code`].
//! - Bytes: [`LineScanner`] for lines, [`SseDecoder`] for event streams; [`header`] for HTTP, with [`ToolHeaders`] for
//!   the arguments of tools that stand in headers too.
//! - Revisions: [`Revision`], [`Era`].
//! - Beginnings: [`InitializeParams`] and [`InitializeResult`] (legacy), [`DiscoverResult`] (modern),
//!   [`ServerCapabilities`], [`ClientCapabilities`], [`Implementation`].
//! - What servers have: [`Tool`] and [`CallToolResult`], [`Resource`], [`Prompt`], [`CompleteResult`], all made of
//!   [`Content`]; [`Cacheable`] says how long a result stays true.
//! - What servers ask: [`Input`], which is [`ElicitParams`] with a [`RequestedSchema`], [`CreateMessageParams`] or
//!   the [`Root`]s; [`InputRequiredResult`] asks in several rounds.
//! - What servers say unasked: [`MessageParams`], [`ProgressParams`], [`AcknowledgedParams`], [`ResourceParams`].
//! - [`Task`], the same in the two forms that tasks have.
//! - [`Skill`]: instructions for a model, with the files that belong to them.
//! - [`Meta`], which anything can carry.
//!
//! ```
//! use codewhale_mcp_protocol::{CallToolResult, ContentKind, Message, ResultType};
//!
//! let line = br#"{"jsonrpc":"2.0","id":7,"result":{
//!     "resultType":"complete","content":[{"type":"text","text":"hi"}],"x-new":1e400}}"#;
//! let Message::Result { id, result } = Message::parse(line)? else { panic!("a result") };
//! assert_eq!(id.get(), "7");
//! let result: CallToolResult = serde_json::from_str(result.get())?;
//! assert_eq!(result.result_type, Some(ResultType::Complete));
//! assert_eq!(result.content[0].view(), ContentKind::Text("hi"));
//! assert_eq!(result.extra.member("x-new").map(|value| value.as_str()), Some("1e400"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotations;
mod capabilities;
mod completion;
mod content;
mod content_kind;
mod decode;
mod discover;
mod elicitation;
mod encode;
mod envelope;
mod error;
mod error_data;
pub mod header;
mod header_annotation;
mod header_fault;
mod id;
mod implementation;
mod initialize;
mod input;
mod json;
mod line;
mod logging;
mod members;
pub mod meta;
pub mod method;
mod notification;
mod one_or_many;
mod open;
mod params;
mod prompts;
mod reply;
mod resources;
mod result;
mod revision;
mod roots;
mod rpc;
mod sampling;
mod scan;
mod skills;
mod sse;
mod subscriptions;
mod surrogates;
mod tasks;
mod tool_headers;
mod tools;
mod verbatim;
mod word;

pub use annotations::*;
pub use capabilities::*;
pub use completion::*;
pub use content::*;
pub use content_kind::*;
pub use decode::read_json;
pub use discover::*;
pub use elicitation::*;
pub use encode::write_json;
pub use envelope::*;
pub use error::*;
pub use error_data::*;
pub use header_fault::*;
pub use id::*;
pub use implementation::*;
pub use initialize::*;
pub use input::*;
pub use json::*;
pub use line::*;
pub use logging::*;
pub use members::*;
pub use meta::{Meta, MetaMembers, RelatedTask};
pub use notification::*;
pub use one_or_many::*;
pub use params::*;
pub use prompts::*;
pub use reply::*;
pub use resources::*;
pub use result::*;
pub use revision::*;
pub use roots::*;
pub use rpc::*;
pub use sampling::*;
pub use serde_json::Number;
pub use skills::*;
pub use sse::*;
pub use subscriptions::*;
pub use surrogates::*;
pub use tasks::*;
pub use tool_headers::*;
pub use tools::*;
pub use verbatim::*;
