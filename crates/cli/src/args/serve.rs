//! Being a server.

use std::net::SocketAddr;

use clap::Args;

#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Speak the Model Context Protocol, the only one there is
    #[arg(long, required = true)]
    pub(crate) mcp: bool,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ServerArgs {
    /// Offer tools that change something: write_file, edit_file, shell; beside those of [mcp_server] allow in
    /// config.toml
    #[arg(long, value_name = "TOOL,…", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// Serve over HTTP at this address, such as 127.0.0.1:8080, until interrupted; port 0 is a free one
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
    /// A name by which other machines reach that address, with or without a port; may be repeated
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) host: Vec<String>,
    /// The variable that holds the token which requests have to bring
    #[arg(long, value_name = "VAR", requires = "listen")]
    pub(crate) bearer_token_env_var: Option<String>,
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "it must be an IP address and a port, such as 127.0.0.1:8080")
}
