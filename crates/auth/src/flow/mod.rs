//! Logins, as pure steps.
//!
//! ```text
//! Login  discovery ──> client (recalled, registered) ──> browser ──> token ──> Tokens
//!                          └ device: code to type in ──> asked again and again ──┘
//!                          └ the client itself, a workload, an enterprise: a token for an assertion ──┘
//! ```
//!
//! [`Login`] is given what came of its last [`Ask`] and gives the next one. It opens no connection and keeps no
//! file; who carries the asks out is in [`crate::driver`].

mod ask;
mod authorization;
mod callback;
mod device;
mod grant;
mod login;
mod registering;
mod scope;
mod settings;
mod stages;
mod tokens;

pub use ask::{Ask, DeviceCode, Input};
pub use authorization::{Authorization, Prompt};
pub use callback::Callback;
pub use grant::{Enterprise, Grant, SubjectKind};
pub use login::{Login, Reason};
pub use scope::Scopes;
pub use settings::{Binding, Settings};
pub use tokens::Tokens;
