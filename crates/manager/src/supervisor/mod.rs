//! What a server is to do next: one pure decision, without a clock, tasks or servers.
//!
//! [`decide`] takes how a server's life stands, what has happened and when, and gives how it stands then and what is to
//! be done about it. Whoever asks does that, and tells what came of it as the next [`Fact`]. Facts of an attempt that
//! is over change nothing, so they may come late and in any order.
//!
//! ```text
//!               Wanted                 Settled
//!  Configured ---------> Connecting ------------> Ready <----> Degraded        (Listed)
//!      ^  |              |  ^    |                  |             |
//!      |  v Disabled     |  |    +--> NeedsLogin    +------+------+
//!    Disabled <-- any    |  |    +--> Blocked              | Lost
//!                        |  | Due                          v
//!        Failed <--------+  +------------------------ Offline <-+  a try in vain
//!  (never was up)        |                                ^     |  (the last one: no more tries)
//!                        +--------------------------------+-----+
//! ```
//!
//! `Connect` and `Restart` lead from everywhere but `Disabled` to `Connecting`.
//!
//! - A server that was up and is gone is tried again after a pause that doubles, at most [`Rules::tries`] times; only a
//!   call that succeeds gives it all of its tries again. One that never was up is tried once.
//! - There is one attempt at a time, whoever waits for it.
//! - The list of a server that is alive is read again when it says that it changed: one list at a time, what is said
//!   meanwhile is heard once more at the end, and a server that goes on saying so is asked less and less often.

mod decide;
mod life;
mod listing;
mod rules;
mod stage;

pub use decide::{Action, At, Fact, Settlement, decide};
pub use life::{Life, Origin, Stage, Time};
pub use rules::Rules;
pub use stage::ServerState;
