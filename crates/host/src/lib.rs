//! Sessions over stream-json: prompts come in, a model answers them with the tools of MCP servers, and whoever waits for
//! the first answer is told what it waits for.
//!
//! A [`Host`] is made before the servers are, since some of them may live with the caller; [`Host::run`] then holds the
//! session that a [`Setup`] describes, with the servers of a fleet, until its input ends. [`flags`] is the command line
//! of such a session, [`window`] the wait of the first prompt as a value, [`approval`] which tools run unasked.
//!
//! It does not know where configurations and credentials are, who is trusted or what a terminal is. Input, output, the
//! environment's values, paths and the time of day are arguments; threads read and write, so that nobody waits for a
//! pipe.
//!
//! ```
//! use std::io::{Cursor, Read};
//! use std::time::SystemTime;
//!
//! use codewhale_host::flags::Asked;
//! use codewhale_host::{Endpoint, Host, Setup};
//! use codewhale_mcp_config::Model;
//! use codewhale_mcp_manager::{Fleet, FleetRules, Manager};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let home = tempfile::tempdir()?;
//! # let home = home.path().to_owned();
//! let (mut said, output) = std::io::pipe()?;
//! let host = Host::new(Box::new(output), None, SystemTime::now)?;
//! let mut manager =
//!     codewhale_mcp_manager::Setup::new(Vec::new(), home.clone(), home.clone(), SystemTime::now);
//! manager.in_process = host.in_process();
//! let fleet = Fleet::new(Manager::new(manager), Vec::new(), FleetRules::default())?;
//!
//! let asked = Asked::read(&["--input-format=stream-json", "--output-format=stream-json"].map(String::from))?;
//! let no_model = Endpoint::new(&Model::default(), |_| None);
//! let setup = Setup::new(asked, home.clone(), home.join("results"), no_model);
//! let prompt = r#"{"type": "user", "message": {"role": "user", "content": "hello"}}"#;
//! host.run(setup, fleet.clone(), Box::new(Cursor::new(prompt))).await?;
//! fleet.shutdown().await;
//!
//! let mut text = String::new();
//! said.read_to_string(&mut text)?;
//! assert!(text.lines().last().unwrap().contains("no model is configured"));
//! # Ok(())
//! # }
//! ```

pub mod approval;
mod caller;
pub mod flags;
mod helpers;
mod model;
mod out;
mod sdk;
mod session;
mod turn;
pub mod window;
mod wire;

pub use model::{Endpoint, ModelError, NotConfigured, Usage, Way};
pub use session::{Ended, Host, How, Reread, Rules, Setup, Talk};
pub use wire::Line;
