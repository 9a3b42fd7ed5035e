//! What `config.toml` may hold.

use codewhale_mcp_store::ReadError;
use thiserror::Error;

use crate::{Located, ParseError, Problem, Warning};

/// The settings of a `config.toml`. What is not set is `None` or empty; defaults belong to those who use a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The user's `mcp.json`, see [`crate::locate()`].
    pub mcp_config_path: Option<Located<String>>,
    /// The port of the login callback.
    pub mcp_oauth_callback_port: Option<Located<u16>>,
    /// The URL of the login callback.
    pub mcp_oauth_callback_url: Option<Located<String>>,
    /// `[tools]`
    pub tools: Tools,
    /// `[mcp]`
    pub mcp: Mcp,
    /// `[network]`
    pub network: Network,
    /// `[model]`
    pub model: Model,
    /// `[mcp_server]`
    pub mcp_server: McpServer,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

/// `[tools]`, the only table a project may set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tools {
    /// Names (`mcp_<server>_<tool>`, `mcp_<server>_*`) whose servers start at once.
    pub always_load: Vec<Located<String>>,
}

/// `[mcp]`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mcp {
    /// Deferred servers wait until they are asked for.
    pub lazy: Option<Located<bool>>,
    /// `[mcp.limits]`
    pub limits: Limits,
    /// `[mcp.approval]`
    pub approval: Approval,
}

/// `[mcp.limits]`: whole numbers from 1 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Pages of one list.
    pub max_pages: Option<Located<u64>>,
    /// Items of one list.
    pub max_items: Option<Located<u64>>,
    /// Bytes of one message.
    pub max_message_bytes: Option<Located<u64>>,
}

/// `[mcp.approval]`: tool names by catalogue name; a denial wins over a question, a question over a permission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approval {
    /// Run without a question.
    pub allow: Vec<Located<String>>,
    /// Always ask.
    pub ask: Vec<Located<String>>,
    /// Never run.
    pub deny: Vec<Located<String>>,
}

/// `[network]`: where requests to remote servers may go, and whom to trust there. In the lists a denial wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Network {
    /// The only hosts reached, if there are any.
    pub allow: Vec<Located<String>>,
    /// Hosts never reached.
    pub deny: Vec<Located<String>>,
    /// A PEM file with certificates of authorities that are trusted beside those of the system; see
    /// [`Home::file`](crate::Home::file).
    pub ca_file: Option<Located<String>>,
}

/// `[model]`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// Base URL of the chat API.
    pub base_url: Option<Located<String>>,
    /// Name of the model.
    pub model: Option<Located<String>>,
    /// Environment variable that holds the key.
    pub api_key_env: Option<Located<String>>,
}

/// `[mcp_server]`
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpServer {
    /// Tools of our own server that are off by default.
    pub allow: Vec<Located<String>>,
    /// Names of variables that its commands get beside the usual ones.
    pub shell_env: Vec<Located<String>>,
}

/// A `config.toml` could not be used. Nothing of it counts then: half of a policy is none.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// It could not be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It is no TOML.
    #[error(transparent)]
    Unusable(#[from] ParseError),
    /// Values of a wrong type or out of range; at least one.
    #[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Invalid {
        /// All of them.
        problems: Vec<Problem>,
    },
}
