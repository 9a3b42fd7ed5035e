//! One small process that ends our groups if we are killed before we could.
//!
//! [`Guard`] starts it beside the first server and tells it, over a pipe that is its standard input, what is
//! being started, which groups exist and which are gone. When that pipe ends, whatever the reason, [`serve`] ends
//! every group that is left: `SIGTERM`, up to a second, `SIGKILL`.
//!
//! A kill can fall between the system starting a process and us telling the guard. So an intent with a token goes
//! to the guard first, and the token goes into that process's environment as [`SPAWN_VARIABLE`]; on Linux the guard
//! then finds the process of an open intent by its environment.
//!
//! A process that left its group is found in the same way, where a start [asked for that](crate::Reach::Marked).
//!
//! What remains: any other process that left its group (a session of its own), one that an open intent stands for where
//! there is no `/proc`, and all of them if the guard itself is killed at the same moment. These see their standard
//! input close. Where there are no process groups there is no guard, and [`Guard`] does nothing.

#[cfg(not(unix))]
mod absent;
#[cfg(unix)]
mod channel;
#[cfg(unix)]
mod handle;
#[cfg(unix)]
mod keeper;
#[cfg(unix)]
mod order;
#[cfg(target_os = "linux")]
mod scan;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod session;
mod variable;

#[cfg(not(unix))]
pub(crate) use absent::Record;
#[cfg(not(unix))]
pub use absent::{Guard, serve};
#[cfg(unix)]
pub use handle::Guard;
#[cfg(unix)]
pub(crate) use handle::Record;
#[cfg(target_os = "linux")]
pub(crate) use scan::carrying;
#[cfg(unix)]
pub use serve::serve;
pub use variable::SPAWN_VARIABLE;
