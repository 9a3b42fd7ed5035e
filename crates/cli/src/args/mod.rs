//! The command line as clap reads it, and nothing of what it does.
//!
//! - `cli`: the whole of it, and what counts for every command
//! - `mcp`: the commands of `codewhale mcp`
//! - `edit`: the commands that change a file
//! - `look`: the commands that only read or connect
//! - `call`: calling a tool
//! - `target`: a server by name, or without any configuration

mod call;
mod cli;
mod edit;
mod look;
mod mcp;
mod target;

pub(crate) use call::CallArgs;
pub use cli::command;
pub(crate) use cli::{Cli, ColourChoice, Command, GlobalArgs, TrustArgs, UntrustArgs};
pub(crate) use edit::{AddArgs, AddJsonArgs, InitArgs, NamedEntryArgs, RemoteKind};
pub(crate) use look::{ConnectArgs, GetArgs, ListArgs, LogsArgs, ToolsArgs, ValidateArgs};
pub(crate) use mcp::McpCommand;
pub(crate) use target::{Asked, OptionalTarget, RequiredTarget};
