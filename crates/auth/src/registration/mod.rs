//! Who we are to an authorization server.
//!
//! In this order: the client that is configured, the URL of a document about us, a registration that we have, a new
//! registration. Each belongs to one issuer but the document, which is for all.

mod client;
mod dynamic;
mod identity;

pub use client::{AuthMethod, Client, Preset, Source};
pub(crate) use dynamic::minds_scopes;
pub use dynamic::{Registration, registered, registration_call};
pub use identity::{Identity, Names, identify};
