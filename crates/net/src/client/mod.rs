//! The engine: HTTP to where a [`Guard`](crate::Guard) lets it go (feature `client`).
//!
//! An [`Engine`] holds what all requests share: how names are looked up ([`Resolver`]), how connections are made
//! ([`Dialer`]) and whose certificates are trusted. Its [`Egress`] is the way out for one guard, with connections of
//! its own, so that one that was made under one consent is never used under another.
//!
//! Every connection is made in one place: the guard judges the URL, the name is looked up, the guard judges every
//! address, and one of just these addresses is dialled; a proxy and encryption come after that. Redirects are
//! followed by hand, and each hop is judged anew.
//!
//! ```text
//!   a request ── destination: may it go there? ── pool ── free, and nothing has come on it ──▶ http1 ── body
//!                                                  │                                            ▲       │
//!                                                  ├─ none: connect ────────────────────────────┤       └─ its end:
//!                                                  │                                            ▼          free again
//!                                                  └─ HTTP/2: one for all ──▶ http2, a task of its own
//! ```
//!
//! An HTTP/1 connection has no task: the exchange drives it, and the body after that. While nobody uses it, the pool
//! hears when it ends.

mod body;
mod connect;
mod destination;
mod dial;
mod egress;
mod exchange;
mod failure;
mod fetch;
mod headers;
mod held;
mod http1;
mod http2;
mod inflate;
mod pool;
mod redirect;
mod resolve;
mod send;
mod tasks;
mod tls;
mod tunnel;
mod turn;
mod wire;
mod world;

pub use body::Body;
pub use dial::{Dialer, Stream, TcpDialer};
pub use egress::{Egress, Engine};
pub use resolve::{Resolver, SystemResolver};
pub use send::Response;
pub use world::Parts;
