//! `mcp.json` and `config.toml`: read, merge, resolve and edit, with the place of every value.
//!
//! The way of a server: [`McpFile`] parses a text into entries, each a [`ServerEntry`] or the [`Problem`]s that disable
//! it alone; [`Merged`] takes several files and keeps one entry a name; [`MergedServer::resolve`] expands variables and
//! gives a [`Server`], ready to start. [`edit`] changes one entry of a file and leaves every other byte.
//! [`locate()`] finds the user's file, [`load_flags`] those of the command line, [`Settings`] reads `config.toml`.
//!
//! The crate starts nothing and talks to nobody. It knows nothing of trust: its caller leaves out what does not count.
//! The environment, paths and the existence of files are arguments.
//!
//! ```
//! use std::ffi::OsString;
//! use std::path::Path;
//!
//! use codewhale_mcp_config::{McpFile, Merged, Scope, Source, Transport};
//!
//! let text = r#"{
//!     // what my team uses
//!     "servers": { "files": { "command": "npx", "args": ["-y", "${PACKAGE}"] } },
//! }"#;
//! let file = McpFile::parse(text, &Source::file(Path::new("/home/me/mcp.json"), Scope::User))?;
//! assert_eq!(file.entries[0].place.to_string(), "/home/me/mcp.json:3:18");
//!
//! let environment = |name: &str| (name == "PACKAGE").then(|| OsString::from("@x/files"));
//! let merged = Merged::new(vec![file]);
//! let server = merged.servers[0].resolve(&environment, Path::new("/proj")).expect("the variable is set");
//! let Transport::Stdio(stdio) = &server.transport else { panic!("a command") };
//! assert_eq!(stdio.args, ["-y", "@x/files"]);
//! # Ok::<(), codewhale_mcp_config::ParseError>(())
//! ```

pub mod edit;
mod entry;
mod environment;
mod file;
mod flag;
mod json;
mod locate;
mod merge;
mod place;
mod problem;
mod server;
mod settings;
mod suggest;
mod timeouts;
mod warning;

pub use entry::{Auth, AutoApprove, DefinitionHash, Kind, Pair, ServerEntry};
pub use environment::Environment;
pub use file::{Entry, FileError, MAX_FILE_SIZE, McpFile, valid_new_name};
pub use flag::{FlagError, load_flags};
pub use json::{ParseError, ParseReason};
pub use locate::{
    ConfigPath, Home, LocateError, LocateInputs, Rule, candidates, enclosing_project, locate, misplaced,
    project_file, project_settings,
};
pub use merge::{Merged, MergedServer};
pub use place::{Located, Origin, Place, Scope, Source};
pub use problem::{Near, Problem};
pub use server::{OAuth, Outlook, Remote, Server, Stdio, ToolFilter, Transport};
pub use settings::{Approval, Limits, Mcp, McpServer, Model, Network, Settings, SettingsError, Tools};
pub use timeouts::{Budget, Limit, TimeoutSettings, Timeouts};
pub use warning::Warning;
