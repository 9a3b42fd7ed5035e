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
