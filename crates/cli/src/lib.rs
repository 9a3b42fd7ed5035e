//! The `codewhale` command line, as a function of its arguments and the outside.
//!
//! [`run`] reads the arguments, does one command and says how it ended. Everything outside of it comes in as a
//! [`World`]: environment, folders, streams, whoever can be asked, the keyring, the browser,
//! the clock, signals. So a whole run can be held in a
//! test, and two runs in one process do not meet.
//!
//! It does not know the protocol, how a server is started or what stands in a configuration file; it knows what a
//! person wants to read, which next step helps ([`Exit`] codes and hints live here alone), and what leaves on which
//! stream: data on standard output, talk on standard error.
//!
//! ```
//! use std::sync::Arc;
//!
//! use codewhale_cli::{
//!     BrowserUrl, CannotOpen, Exit, NetworkParts, Opener, Output, Signals, Streams, Terminal, VaultError, World, run,
//! };
//!
//! #[derive(Debug)]
//! struct Nowhere;
//!
//! impl Opener for Nowhere {
//!     fn open(&self, _: &BrowserUrl) -> Result<(), CannotOpen> {
//!         Err(CannotOpen { reason: "this is an example".to_owned() })
//!     }
//! }
//!
//! let stream = || Output { writer: Box::new(std::io::sink()), terminal: Terminal::No };
//! let world = World {
//!     environment: Vec::new(),
//!     cwd: "/".into(),
//!     home: Some("/home/me".into()),
//!     temp: "/tmp".into(),
//!     program: None,
//!     stdin: Box::new(std::io::empty()),
//!     streams: Streams::Given,
//!     stdout: stream(),
//!     stderr: stream(),
//!     person: None,
//!     network: NetworkParts::default(),
//!     keyring: Arc::new(|| Err(VaultError::Absent { reason: "this is an example".to_owned() })),
//!     browser: Arc::new(Nowhere),
//!     clock: std::time::SystemTime::now,
//!     signals: Signals::System,
//! };
//! assert_eq!(run(["codewhale", "completions", "bash"], world), Exit::Ok);
//! ```

mod answers;
mod args;
mod class;
mod commands;
mod configured;
mod content;
mod credentials;
mod draft;
mod drive;
mod exit;
mod explain;
mod failure;
mod guard;
mod hint;
mod hosted;
mod input;
mod logged;
mod misread;
mod print;
mod run;
mod served;
mod shown;
mod target;
mod trusted;
mod world;

pub use args::command;
pub use codewhale_mcp_auth::browser::{BrowserUrl, CannotOpen, Opener};
pub use codewhale_mcp_auth::store::keyring::{Vault, VaultError};
pub use codewhale_mcp_manager::{Dialer, NetworkParts, Resolver, Stream};
pub use exit::Exit;
pub use guard::{GUARD_VERB, guard};
pub use run::run;
pub use world::{OpenKeyring, Output, Person, Signal, Signals, Streams, Terminal, World};

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
