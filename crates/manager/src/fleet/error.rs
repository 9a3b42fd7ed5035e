//! Why a server could not be used.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Mismatch};

use super::trouble::Trouble;
use crate::Phase;
use crate::names::ToolId;

/// A server could not be used. The texts are made to be read by a model: they say what to do instead. What a server
/// itself said stands in [`Request`](Self::Request) as it came.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// No server has this name.
    #[error("there is no server `{server}`")]
    ServerUnknown {
        /// The name.
        server: String,
    },
    /// The server is switched off.
    #[error("server `{server}` is disabled, do without it")]
    ServerDisabled {
        /// Its name.
        server: String,
    },
    /// The server is on its way.
    #[error(
        "server `{server}` is not ready yet: it has been connecting for {:.1} s (phase {}); \
         wait for it with wait_for_mcp_servers, or do without it for now",
        elapsed.as_secs_f64(), phase.as_str()
    )]
    ServerNotReady {
        /// Its name.
        server: String,
        /// How far it has come.
        phase: Phase,
        /// How long it has been connecting.
        elapsed: Duration,
    },
    /// Nobody has started the server.
    #[error("server `{server}` has not been started; search for its tools or call one of them to start it")]
    ServerNotStarted {
        /// Its name.
        server: String,
    },
    /// The server was up and is gone.
    #[error("server `{server}` is offline: {trouble}; {}, do without it for now", again(*retry_in))]
    ServerOffline {
        /// Its name.
        server: String,
        /// Why.
        trouble: Trouble,
        /// When it is tried again, if it is.
        retry_in: Option<Duration>,
    },
    /// The server could not be started.
    #[error("server `{server}` failed to start: {trouble}; do without it")]
    ServerFailed {
        /// Its name.
        server: String,
        /// Why.
        trouble: Trouble,
    },
    /// The server asks for a login.
    #[error("server `{server}` needs a login by the user: {trouble}; do without it until then")]
    ServerNeedsLogin {
        /// Its name.
        server: String,
        /// Why.
        trouble: Trouble,
    },
    /// Policy or a missing consent holds the server up.
    #[error("server `{server}` is blocked: {trouble}; do without it")]
    ServerBlocked {
        /// Its name.
        server: String,
        /// Why.
        trouble: Trouble,
    },
    /// The server was stopped or replaced on our side, and the request was given up.
    #[error("server `{server}` was stopped before it answered")]
    ServerStopped {
        /// Its name.
        server: String,
    },
    /// The server is alive and its tools are not known.
    #[error("server `{server}` is up, but its list of tools cannot be used: {trouble}")]
    ListUnusable {
        /// Its name.
        server: String,
        /// Why.
        trouble: Trouble,
    },
    /// The server has no such tool, or not any more.
    #[error("server `{}` has no tool `{}`{}", tool.server, tool.tool, meant(similar))]
    ToolUnknown {
        /// The tool.
        tool: ToolId,
        /// Tools of the server that may be meant.
        similar: Vec<String>,
    },
    /// No tool goes by this name.
    #[error("there is no tool `{name}`{}; tool_search finds those that there are", meant(similar))]
    NameUnknown {
        /// The name.
        name: String,
        /// Names that may be meant.
        similar: Vec<String>,
    },
    /// The configuration does not offer the tool.
    #[error("the tool `{}` of server `{}` is switched off in its configuration", tool.tool, tool.server)]
    ToolNotOffered {
        /// The tool.
        tool: ToolId,
    },
    /// The server's tool, as it is now, does not take these arguments.
    #[error("the arguments do not fit the tool `{}` as server `{}` has it now: {}", tool.tool, tool.server, all(faults))]
    ArgumentsInvalid {
        /// The tool.
        tool: ToolId,
        /// What is wrong with them, at least one.
        faults: Vec<Mismatch>,
    },
    /// The request failed.
    #[error("server `{server}`: {source}")]
    Request {
        /// Its name.
        server: String,
        /// Why.
        source: CallError,
    },
}

fn again(retry_in: Option<Duration>) -> String {
    match retry_in {
        Some(time) => format!("it is tried again in {:.0} s", time.as_secs_f64().ceil()),
        None => "it is not tried again until the user reconnects it".to_owned(),
    }
}

fn meant(similar: &[String]) -> String {
    if similar.is_empty() { String::new() } else { format!("; did you mean {}", similar.join(", ")) }
}

fn all(faults: &[Mismatch]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
