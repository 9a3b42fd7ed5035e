//! The command line.

use clap::{Args, Parser, Subcommand};

/// MCP (Model Context Protocol) servers: look at them, call their tools.
#[derive(Debug, Parser)]
#[command(name = "codewhale", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// MCP servers and their tools
    #[command(subcommand)]
    Mcp(Mcp),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Mcp {
    /// Connects to a server and says what it is
    Connect(Target),
    /// Lists a server's tools
    Tools(Tools),
    /// Calls a tool
    Call(Call),
}

/// Which server, and how to print.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The server's command line, split as a shell would split it; no shell runs
    #[arg(long, value_name = "CMD")]
    pub(crate) stdio: String,
    /// Seconds until the server must be ready
    #[arg(long, value_name = "SECS")]
    pub(crate) connect_timeout: Option<f64>,
    /// Prints JSON for programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Tools {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Prints each tool's input schema
    #[arg(long)]
    pub(crate) schema: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: codewhale mcp call --stdio \"uvx mcp-server-time\" get_current_time timezone=Asia/Tokyo"
)]
pub(crate) struct Call {
    #[command(flatten)]
    pub(crate) target: Target,
    /// The tool's name
    pub(crate) tool: String,
    /// Arguments: `k=v` is text, or what the tool's schema says; `k:=json` is JSON
    #[arg(value_name = "ARG")]
    pub(crate) arguments: Vec<String>,
    /// All arguments as one JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "arguments")]
    pub(crate) json_args: Option<String>,
    /// Seconds until the tool must have answered
    #[arg(long, value_name = "SECS")]
    pub(crate) timeout: Option<f64>,
    /// Calls a tool that says it may destroy something
    #[arg(long)]
    pub(crate) yes: bool,
}
