//! Streamable HTTP for both eras at one endpoint (feature `http`).
//!
//! [`listen`] serves connections of a listener, with bounds for heads, slow readers and the number of connections. With the
//! feature `axum`, [`router`] gives the endpoint to a program that has connections of its own.
//!
//! Modern requests stand alone: any process behind the same name can answer the next one, if all of them share the key that
//! seals what is kept between rounds. Legacy clients have a session, which lives in one process.
//!
//! - `options`: what can be chosen; `authorize`: who may ask; `protected`: where tokens are had
//! - `endpoint`: what every request meets; `names`, `media`, `read`, `mirrored`: one rule each
//! - `modern`, `legacy`: the eras, which share no state; `sessions`, `kept`, `release`: what a legacy client comes back to
//! - `body`, `event`, `refusal`: what goes out
//! - `listen`, `stalled`: connections

mod authorize;
mod body;
mod endpoint;
mod event;
mod kept;
mod legacy;
mod listen;
mod media;
mod mirrored;
mod modern;
mod names;
mod options;
mod protected;
mod read;
mod refusal;
mod release;
#[cfg(feature = "axum")]
mod router;
mod sessions;
mod stalled;

pub use authorize::{Authorize, Denied, Principal};
pub use body::Body;
/// The text of a token, as [`Authorize`] is given it.
pub use codewhale_mcp_redact::Secret;
pub use listen::listen;
pub use options::{Authorization, Hosts, Legacy, Limits, Options, ResourceMetadata, Times};
pub use protected::{NoResource, ProtectedResource};
pub use release::Release;
#[cfg(feature = "axum")]
pub use router::router;
