//! The world that an end-to-end test of `codewhale` owns: its folders, its environment, its processes.
//!
//! It knows the binary by its path alone and speaks to it through arguments, stdin and the two
//! outputs; no crate of the product is linked. [`TestEnvironment`] is one trial: fresh folders, an
//! environment with nothing in it that the test did not put there, and a marker by which every
//! process that descends from the trial is found again ([`survivors()`]).
//!
//! ```no_run
//! let trial = codewhale_e2e::TestEnvironment::new();
//! let run = trial.codewhale(["mcp", "list", "--json"]);
//! assert_eq!(run.code, Some(0), "{run}");
//! ```

mod doing;
mod environment;
#[cfg(unix)]
mod heeded;
mod run;
mod survivors;

pub use doing::doing;
pub use environment::TestEnvironment;
pub use run::{Run, run};
pub use survivors::{MARKER, Survivor, end_survivors, survivors, wait_until_none_survive};
