//! How a remote server is spoken to, where its URL stands on the command line.

use clap::{Args, ValueEnum};

/// What stands above these options in the help.
pub(super) const REMOTE: &str = "Remote servers";

/// What belongs to `--url`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[group(skip)]
pub(crate) struct RemoteArgs {
    /// How it is spoken to [default: Streamable HTTP, else HTTP with SSE]
    #[arg(long, value_name = "KIND", requires = "url", help_heading = REMOTE)]
    pub(crate) transport: Option<RemoteKind>,
    /// A header of every request, also as NAME: VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "url", help_heading = REMOTE)]
    pub(crate) header: Vec<String>,
    /// A header whose value is in an environment variable; may be repeated
    #[arg(long, value_name = "NAME=VARIABLE", requires = "url", help_heading = REMOTE)]
    pub(crate) env_header: Vec<String>,
    /// The environment variable that holds a bearer token
    #[arg(long, value_name = "VARIABLE", requires = "url", help_heading = REMOTE)]
    pub(crate) bearer_token_env_var: Option<String>,
    /// Let the name in the URL stand for a private address
    #[arg(long, requires = "url", help_heading = REMOTE)]
    pub(crate) allow_private_network: bool,
}

/// How a remote server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RemoteKind {
    /// Streamable HTTP
    Http,
    /// HTTP with SSE, as of 2024-11-05
    Sse,
}
