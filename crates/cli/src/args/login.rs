//! Logging in and out.

use clap::Args;

use super::RequiredTarget;

#[derive(Debug, Clone, Args)]
pub(crate) struct LoginArgs {
    #[command(flatten)]
    pub(crate) target: RequiredTarget,
    /// A scope to ask for, in the place of the definition's and the server's; may be repeated
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,
    /// Open no browser, and read the address that one ended at from standard input too
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Show a code to type in on another device, where the server offers that; else as with --no-browser
    #[arg(long)]
    pub(crate) device: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct LogoutArgs {
    #[command(flatten)]
    pub(crate) target: RequiredTarget,
    /// Tell the provider first that the tokens are no good any more, where it offers that; later it is too late
    #[arg(long)]
    pub(crate) revoke: bool,
}
