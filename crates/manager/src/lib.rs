//! Many MCP servers: everything between a configured server and a client that is connected to it.
//!
//! A [`Manager`] starts servers in the world of its [`Setup`], connects to them within their budgets
//! ([`Manager::connect`], [`Manager::open`], [`Manager::check_all`]) and says what became of each in a [`Report`]: ready, degraded with a
//! [`Degradation`], or failed with a [`Failure`] that has a class, a phase and causes. It stops everything in
//! [`Manager::shutdown`]. What servers write beside the protocol goes to their [`Logs`], what is known of them from
//! earlier runs stands in [`KnownServers`], which definitions the user consented to in the [`TrustStore`].
//!
//! A [`Fleet`] is what a session holds: servers that are started when somebody needs them, watched, and started again
//! when they are gone ([`supervisor`] decides that, purely). It knows how each is ([`ServerStatus`]), tells what happens
//! ([`FleetEvent`]), calls tools ([`Fleet::call`]), gives them names ([`ToolSet`]) and finds them ([`Fleet::search`]).
//!
//! Servers with a URL are spoken to with what is kept of a login ([`Credentials`]), renewed without asking anybody. A person
//! logs in by [`Manager::login`] and out by [`Manager::logout`]; [`login_standing`] says how things are.
//!
//! Beside that are pure parts: an approval is bound to a [`ToolDefinition`], a [`Catalogue`] gives tools the names that models know them by, [`check_arguments`],
//! [`coerce`] and [`check_output`] hold values against schemas, [`suggest`] finds what a mistyped name meant,
//! [`estimated_tokens`] says what a definition costs.
//!
//! It does not know where configurations are, how a failure is told to a person or what to do about it. The
//! environment, paths, the network and the time of day are arguments.
//!
//! ```
//! use std::time::SystemTime;
//!
//! use codewhale_mcp_config::{McpFile, Merged, Scope, Source};
//! use codewhale_mcp_manager::{FailureClass, Fleet, FleetRules, Manager, Outcome, Setup, ToolId};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let home = tempfile::tempdir()?;
//! # let (home, workspace) = (home.path().to_owned(), home.path().to_owned());
//! let text = r#"{"servers": {"gone": {"command": "no-such-program-here"}}}"#;
//! let merged = Merged::new(vec![McpFile::parse(text, &Source::label("example", Scope::Flag))?]);
//! let server = merged.servers[0].resolve(&|_: &str| None, &workspace).expect("nothing is missing");
//!
//! let environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
//! let manager = Manager::new(Setup::new(environment, workspace, home, SystemTime::now));
//! let attempt = manager.connect(&server).await;
//! let Outcome::Failed(failure) = attempt.report.outcome else { panic!("a failure") };
//! assert_eq!(failure.class, FailureClass::CommandNotFound);
//!
//! let fleet = Fleet::new(manager, vec![server.into()], FleetRules::default())?;
//! let error = fleet.call(&ToolId::new("gone", "look"), &serde_json::json!({})).send().await.unwrap_err();
//! assert!(error.to_string().starts_with("server `gone` failed to start"));
//! fleet.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod approval;
mod connect;
mod cost;
mod disk;
mod endpoint;
mod fleet;
mod in_process;
mod instant;
mod known;
mod launch;
mod logins;
mod logs;
mod names;
mod network;
mod program;
mod scope;
mod suggest;
pub mod supervisor;
mod trust;

pub use approval::ToolDefinition;
pub use codewhale_mcp_client::{
    Argument, ArgumentCheck, ArgumentValue, CoerceError, Mismatch, OutputFault, SchemaFault, Uncheckable,
    check_arguments, check_output, coerce, schema_fault,
};
pub use codewhale_mcp_net::client::{Dialer, Parts as NetworkParts, Resolver, Stream};
pub use codewhale_mcp_transport::End;
pub use codewhale_mcp_transport::stdio::{Guard, Ladder, Launch, guard};
pub use connect::{
    Attempt, Checks, Connection, Degradation, DegradationClass, Elapsed, Failure, FailureClass, Manager,
    Oddity, Outcome, Phase, Ready, Report, Setup, Severity, Target, TransportUsed, missing_scopes,
};
pub use cost::estimated_tokens;
pub use fleet::{
    Fleet, FleetError, FleetEvent, FleetEvents, FleetRules, Found, FoundTool, Instructions, Matching, Offer,
    OfferedTool, Query, QueryError, ReloadError, Reloaded, ServerStatus, ToolCall, ToolSet, Trouble,
    TroubleClass, Unavailable, status_lines,
};
pub use in_process::InProcess;
pub use instant::rfc3339;
pub use known::{Known, KnownList, KnownServers};
pub use logins::{
    Credentials, Held, LoggedIn, LoginPlan, LoginRefused, LoginStanding, LogoutPlan, Way, login_standing,
    uses_login,
};
pub use logs::{Follow, Log, LogError, Logs, Voice};
pub use names::{Catalogue, HELPERS, MAX_NAME, ToolId};
pub use network::{Network, host_lists};
pub use program::{is_package_runner, steers_programs};
pub use scope::Scope as ToolScope;
pub use suggest::suggest;
pub use supervisor::ServerState;
pub use trust::{Consents, Standing, TrustError, TrustStore};
