//! The commands, a file each.
//!
//! - `init`, `add`, `change`: edit a file
//! - `list`, `get`, `logs`: look, and start nothing
//! - `trust`: consent to a workspace's servers
//! - `check`: every server at once, for `validate` and `list --check`
//! - `listing`: lists of tools, printed
//! - `report`, `summary`: how one server does, and all together
//! - `connect`, `tools`, `call`: one server, for real
//! - `shell`: completions and manual pages
//! - `dispatch`: which command is which

mod add;
mod call;
mod change;
mod check;
mod connect;
mod dispatch;
mod get;
mod init;
mod list;
mod listing;
mod logs;
mod report;
mod shell;
mod summary;
mod tools;
mod trust;

pub(crate) use dispatch::dispatch;
