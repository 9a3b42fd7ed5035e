//! The commands that change a file.

use clap::Args;

use super::remote::{REMOTE, RemoteArgs};

#[derive(Debug, Clone, Args)]
pub(crate) struct InitArgs {
    /// Replace the file if it is there; the old one is kept beside it
    #[arg(long)]
    pub(crate) force: bool,
}

/// A server that stands in a file.
#[derive(Debug, Clone, Args)]
pub(crate) struct NamedEntryArgs {
    /// The server's name
    pub(crate) name: String,
    /// The one in the workspace's own file, <workspace>/.codewhale/mcp.json
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AddJsonArgs {
    /// The server's name: letters, digits, `.`, `_` and `-`, at most 64
    pub(crate) name: String,
    /// A server's definition, or a whole {"mcpServers":{…}} with one server or one of that name; `-` reads it from
    /// standard input
    #[arg(value_name = "JSON")]
    pub(crate) definition: String,
    /// Replace a server of that name
    #[arg(long)]
    pub(crate) force: bool,
    /// Write to the workspace's own file, <workspace>/.codewhale/mcp.json
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AddSelfArgs {
    /// The server's name: letters, digits, `.`, `_` and `-`, at most 64
    #[arg(long, default_value = "codewhale")]
    pub(crate) name: String,
    /// Offer tools that change something: write_file, edit_file, shell; beside those of [mcp_server] allow in
    /// config.toml
    #[arg(long, value_name = "TOOL,…", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AddArgs {
    /// The server's name: letters, digits, `.`, `_` and `-`, at most 64
    pub(crate) name: String,
    /// The program and its arguments, exactly as they will be passed
    #[arg(last = true, value_name = "CMD ARGS", conflicts_with_all = ["command", "arg", "url"])]
    pub(crate) argv: Vec<String>,
    /// The program: one name or path, blanks included
    #[arg(long, value_name = "CMD", conflicts_with = "url")]
    pub(crate) command: Option<String>,
    /// One argument of the program; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, requires = "command")]
    pub(crate) arg: Vec<String>,
    /// The endpoint of a remote server
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// A variable for the program; may be repeated
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "url")]
    pub(crate) env: Vec<String>,
    /// The program's working directory; a relative one starts at the workspace
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    pub(crate) cwd: Option<String>,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
    /// The id of a client that is registered already
    #[arg(long, value_name = "ID", requires = "url", help_heading = REMOTE)]
    pub(crate) oauth_client_id: Option<String>,
    /// Replaces the canonical resource in OAuth requests
    #[arg(long, value_name = "URI", requires = "url", help_heading = REMOTE)]
    pub(crate) oauth_resource: Option<String>,
    /// A scope to ask for at login; may be repeated
    #[arg(long, value_name = "SCOPE", requires = "url", help_heading = REMOTE)]
    pub(crate) scope: Vec<String>,
    /// Seconds for start, handshake and first list
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) connect_timeout: Option<f64>,
    /// Seconds for a call of a tool
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) execute_timeout: Option<f64>,
    /// Seconds for each reply during handshake and lists
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) read_timeout: Option<f64>,
    /// A failure of this server fails the turn
    #[arg(long)]
    pub(crate) required: bool,
    /// Add it, but leave it off
    #[arg(long)]
    pub(crate) disabled: bool,
    /// Write to the workspace's own file, <workspace>/.codewhale/mcp.json
    #[arg(long)]
    pub(crate) project: bool,
    /// Replace a server of that name
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn seconds(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=4_294_967_296.0).contains(&seconds) => Ok(seconds),
        _ => Err("it must be a number of seconds above 0"),
    }
}
