//! An MCP client: one connection to one server, used through a handle that can be cloned.
//!
//! A [`Client`] takes a [`Connector`] and not an open link, since one connection may have to open several
//! links before it stands. It knows how requests, replies, deadlines and cancellation meet on a link. It does
//! not know what a configuration is, which servers there are or how to reach them.
//!
//! The main types: [`Client`], [`Options`], [`CallError`], [`ConnectError`], [`Event`].
//!
//! - A request is sent by the task that makes it. Dropping it cancels it: a frame that has not begun to leave
//!   is taken out, otherwise the server is told.
//! - A reply is decoded by the task that waits for it; the reading task only finds out whose it is.
//! - When a connection ends, everything that waits gets an error that says how the server ended.
//!
//! ```
//! use codewhale_mcp_client::{Client, Options};
//! use codewhale_mcp_transport::memory;
//! use serde_json::json;
//! use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (connector, server) = memory::pair(64 * 1024);
//! tokio::spawn(async move {
//!     let (reader, mut writer) = tokio::io::split(server);
//!     let mut lines = BufReader::new(reader).lines();
//!     while let Ok(Some(line)) = lines.next_line().await {
//!         let request: serde_json::Value = serde_json::from_str(&line).unwrap();
//!         let result = match request["method"].as_str() {
//!             Some("server/discover") => json!({"supportedVersions": ["2026-07-28"]}),
//!             _ => json!({"content": [{"type": "text", "text": "hello"}]}),
//!         };
//!         let reply = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
//!         writer.write_all(format!("{reply}\n").as_bytes()).await.unwrap();
//!     }
//! });
//!
//! let client = Client::connect(&connector, Options::default()).await?;
//! assert_eq!(client.server().revision.as_str(), "2026-07-28");
//! let result = client.call_tool("greet", &json!({"name": "whale"})).send().await?;
//! assert_eq!(result.content[0].text.as_deref(), Some("hello"));
//! client.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! [`Connector`]: codewhale_mcp_transport::Connector

mod ahead;
mod asked;
mod cache;
mod client;
mod connect;
mod early;
mod error;
mod event;
mod handler;
mod insist;
mod keeper;
mod lane;
mod lists;
mod logging;
mod meta_name;
mod options;
mod pending;
mod prompts;
mod reader;
mod request;
mod resources;
mod result;
mod room;
mod route;
#[cfg(feature = "schema")]
mod schema;
mod shared;
#[cfg(feature = "skills")]
mod skill;
mod skills;
mod state;
mod subscription;
mod tasks;
mod teller;
mod tools;
mod turns;
mod unfinished;
mod writer;

pub use client::Client;
pub use codewhale_mcp_session::{EraChoice, EraReason, Established, HandshakeError, Ignored, Memory};
pub use codewhale_mcp_transport::ExchangeError;
pub use connect::{ConnectCause, ConnectError};
pub use error::{CallError, Gone, LimitFault};
pub use event::{Event, Events, Observer};
pub use handler::{Handler, HandlerHandle, Refusal};
pub use lane::ExchangeFault;
pub use lists::{ListWarning, Listed};
pub use options::{ListLimits, Options};
pub use request::Request;
pub use result::RequestResult;
#[cfg(feature = "schema")]
pub use schema::{
    Argument, ArgumentCheck, ArgumentValue, CoerceError, Expected, ExpectedArgument, Mismatch, MismatchKind,
    OtherArguments, OutputFault, SchemaFault, Uncheckable, check_arguments, check_output, coerce,
    expected_arguments, schema_fault,
};
#[cfg(feature = "skills")]
pub use skill::{
    FrontmatterFault, LoadedSkill, SkillEntry, SkillEntryFault, SkillError, SkillFile, SkillFileFault,
    frontmatter_fault,
};
pub use subscription::{Change, Subscription};
pub use tasks::{Started, TaskHandle};
