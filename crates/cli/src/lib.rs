//! The codewhale command line as a library: arguments in, output and an exit code out.
//!
//! It knows how to speak to a person and to a script: hints, exit codes and `--json` live here and nowhere
//! below. The world (streams, environment, working directory, the program's own path) comes in as [`World`].
//!
//! ```
//! use codewhale_cli::{Exit, World, run};
//!
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let mut world = World::closed(&mut out, &mut err);
//! assert_eq!(run(["codewhale", "--version"], &mut world), Exit::Ok);
//! assert!(String::from_utf8_lossy(&out).starts_with("codewhale "));
//! ```

mod args;
mod arguments;
mod call;
mod connect;
mod content;
mod exit;
mod printer;
mod run;
mod server;
mod tools;
mod world;

pub use exit::Exit;
pub use run::{GUARD_VERB, guard, run};
pub use world::World;
