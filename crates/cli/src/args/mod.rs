//! The command line as clap reads it, and nothing of what it does.
//!
//! - `cli`: the whole of it, and what counts for every command
//! - `mcp`: the commands of `codewhale mcp`
//! - `edit`: the commands that change a file
//! - `look`: the commands that only read or connect
//! - `call`: calling a tool, reading a resource, getting a prompt, completing an argument
//! - `watch`: changes of a server, and its tasks
//! - `asked`: what a server may ask while it works, and how much it says
//! - `budget`: how long a server may take to become usable, for this run
//! - `login`: logging in and out
//! - `target`: a server by name, or without any configuration
//! - `remote`: how a remote server is spoken to
//! - `serve`: being a server

mod asked;
mod budget;
mod call;
mod cli;
mod edit;
mod login;
mod look;
mod mcp;
mod remote;
mod serve;
mod target;
mod watch;

pub(crate) use asked::AskedArgs;
pub(crate) use budget::BudgetArgs;
pub(crate) use call::{CallArgs, CompleteArgs, PromptArgs, ReadArgs, ShownArgs};
pub use cli::command;
pub(crate) use cli::{Cli, ColourChoice, Command, GlobalArgs, TrustArgs, UntrustArgs};
pub(crate) use edit::{AddArgs, AddJsonArgs, AddSelfArgs, InitArgs, NamedEntryArgs};
pub(crate) use login::{LoginArgs, LogoutArgs};
pub(crate) use look::{ConnectArgs, GetArgs, ListArgs, LogsArgs, OfferedArgs, ToolsArgs, ValidateArgs};
pub(crate) use mcp::McpCommand;
pub(crate) use remote::{RemoteArgs, RemoteKind};
pub(crate) use serve::{ServeArgs, ServerArgs};
pub(crate) use target::{Asked, InPlaceOfName, OptionalTarget, RequiredTarget, Unnamed};
pub(crate) use watch::{SubscribeArgs, TasksArgs};
