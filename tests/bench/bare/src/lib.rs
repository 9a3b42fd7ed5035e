//! What clients are measured with: a server that costs little, the floor under every client, and what programs that
//! are measured have in common.
//!
//! Nothing but std is used, so that nothing of ours and of nobody else's is in the numbers. It does not know which
//! clients there are, nor how often they are run.
//!
//! - [`Arguments`], [`Scenario`]: the command line of every client
//! - [`Echo`]: the text that is sent and comes back
//! - [`Stopwatch`], [`Outcome`]: what a client measures, and the line it prints
//! - `server`, `floor`: the two programs (Linux alone)
//!
//! ```
//! use codewhale_bench_bare::{Arguments, Scenario};
//!
//! let words = ["pipe", "--server", "bench-server --tools 3", "--n", "500", "--inflight", "16"];
//! let arguments = Arguments::read(words.map(str::to_owned)).unwrap();
//! assert_eq!(arguments.scenario, Scenario::Pipe);
//! assert_eq!(arguments.server, ["bench-server", "--tools", "3"]);
//! assert_eq!((arguments.n, arguments.inflight, arguments.size), (500, 16, 100));
//! ```

mod arguments;
mod echo;
#[cfg(target_os = "linux")]
pub mod floor;
mod outcome;
#[cfg(target_os = "linux")]
pub mod server;
#[cfg(target_os = "linux")]
mod sys;

pub use arguments::{Arguments, Scenario};
pub use echo::Echo;
pub use outcome::{Outcome, Stopwatch};
