//! Messages that travel in exchanges of their own: Streamable HTTP, and HTTP+SSE.
//!
//! ```text
//!   a request ── carry ──▶ POST ── JSON, or events ──▶ its answer, and what belongs to it
//!                            │          │
//!                            │          └─ legacy, ended too early: GET from the last event on (pause)
//!                            ├─ 404 on a session: renew (one for all), and the request goes out once more
//!                            └─ anything else: a fault, which only this request gets
//!   answers, cancellations ── post ──▶ POST, nothing to wait for           (legacy)
//!   what the server says by itself ◀── hear ── GET, again when it ends     (legacy)
//! ```
//!
//! An exchange runs in the task that waits for its answer, so that dropping a request ends its exchange.

mod carry;
mod endpoint;
mod fault;
mod hear;
mod message;
mod pause;
mod post;
mod renew;
mod unread;

pub(crate) use carry::{carry, carry_insistently};
pub(crate) use endpoint::Lane;
pub use fault::ExchangeFault;
pub(crate) use fault::is_lost_session;
pub(crate) use hear::{hear, hear_all};
pub(crate) use message::{Message, Routed, arguments};
pub(crate) use pause::Pause;
pub(crate) use post::{greeting, post};
pub(crate) use renew::renew;
