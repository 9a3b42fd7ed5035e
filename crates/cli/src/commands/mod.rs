//! The commands, a file each.
//!
//! - `init`, `add`, `add_self`, `change`: edit a file
//! - `list`, `get`, `logs`: look, and start nothing
//! - `trust`: consent to a workspace's servers
//! - `check`: every server at once, for `validate` and `list --check`
//! - `listing`: lists of tools, printed
//! - `report`, `summary`: how one server does, and all together
//! - `one_tool`, `usage`: one tool in full, and how it is called
//! - `connect`, `tools`, `call`: one server, for real
//! - `offered`: lists of resources, templates and prompts
//! - `read`, `prompt`, `complete`: one resource, one prompt, one argument
//! - `login`: logging in and out
//! - `subscribe`, `tasks`: what changes, and what a server works on
//! - `opened`, `talk`, `heard`: one server that a command talks to, and what it says meanwhile
//! - `shell`: completions and manual pages
//! - `dispatch`: which command is which

mod add;
mod add_self;
mod call;
mod change;
mod check;
mod complete;
mod connect;
mod dispatch;
mod get;
mod heard;
mod init;
mod list;
mod listing;
mod login;
mod logs;
mod offered;
mod one_tool;
mod opened;
mod prompt;
mod read;
mod report;
mod shell;
mod subscribe;
mod summary;
mod talk;
mod tasks;
mod tools;
mod trust;
mod usage;

pub(crate) use dispatch::dispatch;
pub(crate) use shell::{NAMES_VERB, names};
