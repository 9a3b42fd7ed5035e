//! `config.toml`.
//!
//! - `values`: what it may hold
//! - `read`: from tables to values, and what a project may not set
//! - `tables`: from TOML to nodes with positions

mod read;
mod tables;
mod values;

pub use values::{Approval, Limits, Mcp, McpServer, Model, Network, Settings, SettingsError, Tools};
