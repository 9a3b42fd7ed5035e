//! Connecting to servers, one or many, and what becomes of each.
//!
//! - `class`, `failure`, `report`: the words for it
//! - `watch`: sees each link that a connection opens
//! - `running`: what has to be stopped at the end
//! - `events`: what a server says of its own accord goes to its log
//! - `listing`: the first list of tools, and what is wrong with it
//! - `attempt`: one server, from its definition to its tools, within its budgets
//! - `many`: several servers at once, each told of as it settles
//! - `manager`: the owner of it all
//!
//! ```text
//! definition -> spawn -> handshake -> first list -> Ready           (a URL is reached, not spawned)
//!     |           |         |             |-> Degraded   alive, the list failed or is empty
//!     +-----------+---------+-------------+-> Failed     nothing of it runs any more
//! ```

mod attempt;
mod class;
mod events;
mod failure;
mod listing;
mod manager;
mod many;
mod report;
mod running;
mod watch;

pub use attempt::{Attempt, Connection};
pub(crate) use attempt::{Course, First, Settled};
pub use class::{FailureClass, Phase};
pub(crate) use failure::chain;
pub use failure::{Failure, missing_scopes};
pub(crate) use listing::{Found, list};
pub use manager::{Manager, Setup};
pub use many::{Checks, Target};
pub use report::{
    Degradation, DegradationClass, Elapsed, Oddity, Outcome, Ready, Report, Severity, TransportUsed,
};
