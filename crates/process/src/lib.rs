//! Child processes in their own group, stopped without orphans.
//!
//! [`spawn`] starts a [`Launch`] as the leader of a new process group, without a shell, and gives our ends of
//! its streams and a [`Process`]: how it ended, its last words on standard error, and [`Process::stop`], which takes
//! the whole group down a [`Ladder`]. A [`Guard`] ends the groups if this program itself is killed. Where the
//! program is missing, not executable, a directory or without its interpreter, [`SpawnError`] says which.
//!
//! It knows nothing of what the streams carry, nothing of this program's own environment, and reads no clock
//! but the runtime's.
//!
//! ```
//! use codewhale_mcp_process::{Exit, Ladder, Launch, Setup, spawn};
//! # #[cfg(unix)]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), codewhale_mcp_process::SpawnError> {
//! let launch = Launch { args: vec!["-c".into(), "echo boom >&2; exit 3".into()], ..Launch::new("sh") };
//! let server = spawn(&launch, &Setup::default())?;
//! assert_eq!(server.process.exited().await, Exit::Exited(3));
//! assert_eq!(server.process.last_lines(), ["boom"]);
//! server.process.stop(Ladder::default()).await;
//! # Ok(())
//! # }
//! # #[cfg(not(unix))]
//! # fn main() {}
//! ```
//!
//! On Windows the child alone is ended, without a first request to leave, its descendants are not followed, and
//! [`Guard`] does nothing; that part is not tested.

mod closed;
mod error;
mod exit;
mod family;
pub mod guard;
mod ladder;
mod launch;
pub mod lookup;
#[cfg(unix)]
mod members;
mod parent;
mod pipes;
mod process;
mod reach;
mod script;
mod spawn;
mod stderr;
mod watcher;

pub use closed::keep_closed;
pub use error::SpawnError;
pub use exit::Exit;
pub use guard::{Guard, SPAWN_VARIABLE};
pub use ladder::Ladder;
pub use launch::Launch;
pub use parent::parent_left;
pub use pipes::{Pipes, Stdin, Stdout};
pub use process::Process;
pub use reach::Reach;
pub use spawn::{Setup, Spawned, spawn};
pub use stderr::StderrSink;
