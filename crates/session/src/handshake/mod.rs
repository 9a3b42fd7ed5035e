//! From an open link to a server that is ready.
//!
//! ```text
//!                       DiscoverResult, or -32022 with a revision we share (once)
//!   opened ──▶ AwaitDiscover ──────────────────────────────────────────────▶ Modern
//!     │          │   │   │
//!     │          │   │   └─ link closed: reopen, remembered as legacy ──▶ opened
//!     │          │   └───── -32020, -32021, -32022 without one ──────────▶ failed
//!     │          └───────── any other answer, or none in time
//!     │                          ▼
//!     └─ known or chosen ──▶ AwaitInitialize ──── InitializeResult ──────▶ Legacy
//!        to be legacy            │   │
//!                                │   └─ closed after a probe: reopen, else failed
//!                                └───── error, unknown revision, no answer in time: failed
//! ```
//!
//! An error of `initialize` that proves a modern server, where the probe went unanswered or was not sent because of
//! what was remembered, leads back to AwaitDiscover. After an unanswered probe, and where only the modern era is
//! allowed, nothing but the modern era comes of that, so the probe then waits as long as `initialize` does.
//!
//! Where messages are exchanges, a status can turn a message down: of the probe, it means a legacy server or nothing
//! (`on_no_answer`); of `initialize`, that another way is tried, if there is one. Silence means nothing there.
//!
//! The rules are those of MCP 2026-07-28, basic/versioning and basic/transports/stdio, and of MCP 2025-11-25,
//! basic/lifecycle.

mod error;
mod initialize;
mod next;
mod probe;

pub use error::{HandshakeError, Probed, Step};
pub(crate) use initialize::AwaitInitialize;
pub(crate) use next::Next;
pub(crate) use probe::AwaitDiscover;
