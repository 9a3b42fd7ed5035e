//! How long the first prompt waits for servers, and what is told of it.
//!
//! ```text
//!                 none to wait for, or no time to wait
//! first prompt ─────────────────────────────────────────────► (no window: nothing is told)
//!      │
//!      ▼ start, connecting…
//!   waiting ── a server settles ──► ready | failed ──┐
//!      │  ▲                                          │ others are open
//!      │  └──────────────────────────────────────────┤
//!      │                                             │ all have settled
//!      ├── the time is up ──► timeout… ──────────────┤
//!      └── a new message, an interrupt ──────────────┤
//!                                                    ▼
//!                                            finish, nothing after it
//! ```
//!
//! - `machine`: the wait itself, without a clock: the time is an argument
//! - `event`: what is told
//! - `length`: how long it is, from the environment

mod event;
mod length;
mod machine;

pub use event::{Event, State};
pub use length::{DEFAULT_LENGTH, VARIABLES, length};
pub use machine::{Outcome, Window};
