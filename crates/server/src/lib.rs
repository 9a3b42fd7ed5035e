//! An MCP server, in every revision of both eras: what it offers is described once, and answered over lines or HTTP.
//!
//! A [`Server`] is a description that does not change: who it is, and what answers for it. That is what was registered
//! with a [`Builder`] (tools, resources, templates, prompts, completion), or a [`Handler`] that answers everything itself.
//! What answers gets a [`Context`]: the client, progress, log messages, and questions to the user, which are requests in
//! the legacy era and results in the modern one, behind one function each.
//!
//! It knows nothing of processes, networks and who is authorized: a transport brings messages, with [`Facts`] beside them.
//!
//! - [`serve_stdio`] is for programs that a host starts, [`serve_lines`] for any two streams, [`serve_blocking`] for what
//!   blocks.
//! - `http` is Streamable HTTP, for both eras at one endpoint (feature `http`).
//! - [`Builder::build_with_lists`] gives a handle by which tools, resources and prompts come and go while it is served.
//! - [`protocol`] has the objects that handlers meet; no other crate is needed.
//! - [`Server::exchange`] and [`Session`] are for transports that answer each message by itself: one reads a message into
//!   an [`Incoming`], judges what came with it, and asks the [`Exchange`] for what has to be sent.
//!
//! ```
//! use codewhale_mcp_server::{Context, Failure, Server, serve_lines, tool};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Greeting {
//!     /// Who is greeted.
//!     name: String,
//! }
//!
//! async fn greet(greeting: Greeting, _: Context) -> Result<String, Failure> {
//!     Ok(format!("Hello, {}!", greeting.name))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder("greeter", "1.0.0")
//!     .tool(tool("greet", greet).description("Greets somebody.").read_only())
//!     .build()?;
//!
//! // A program has `serve_stdio(&server).await` here.
//! let input = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"},
//! "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! let input: Vec<u8> = input.iter().copied().filter(|byte| *byte != b'\n').collect();
//! let mut output = Vec::new();
//! serve_lines(&server, &input[..], &mut output).await?;
//! assert!(String::from_utf8(output)?.contains(r#""text":"Hello, Ada!""#));
//! # Ok(())
//! # }
//! ```

mod asks;
mod batch;
mod builder;
mod context;
mod downgrade;
mod era;
mod exchange;
mod facts;
mod failure;
mod handler;
#[cfg(feature = "http")]
pub mod http;
mod in_flight;
mod incoming;
mod limits;
mod lines;
mod offers;
mod one_text;
mod outlet;
mod peek;
mod reply;
mod router;
mod running;
mod secret_id;
mod server;
mod session;
mod subscriptions;
mod tasks;
mod tool;
mod wire;
mod work;

pub use builder::{BuildError, Builder};
/// The messages and objects of the protocol, as far as handlers meet them.
pub use codewhale_mcp_protocol as protocol;
pub use context::{Context, InputError};
pub use exchange::{Exchange, Outgoing, OutgoingKind};
pub use facts::Facts;
pub use failure::Failure;
pub use handler::{Handler, Handling, Request};
pub use incoming::{Incoming, IncomingKind, Unreadable};
pub use limits::Limits;
pub use lines::{serve_blocking, serve_lines, serve_stdio};
pub use reply::Reply;
pub use router::{
    CompletionRoute, Lists, PromptOutput, PromptRoute, ResourceOutput, ResourceRoute, TemplateRoute,
    Variables, completion, prompt, resource, template,
};
#[cfg(feature = "skills")]
pub use router::{SkillRoute, skill};
pub use server::Server;
pub use session::{Events, Session};
pub use subscriptions::Changes;
pub use tool::{NoArguments, Structured, ToolOutput, ToolRoute, raw_tool, tool};
