//! Who authorizes for a server, and where.
//!
//! ```text
//! Discovery  challenge's URL, path, root ──> resource's metadata ──> issuer's metadata ──> Found
//!                    └ nothing there ──> the server's own origin (2025-03-26) ──┘
//! ```
//!
//! Every document is asked for in a fixed order of places; the next one is tried only where there is none (4xx, or
//! something that is no document). A document that is wrong ends the login, since a better one would be one that
//! somebody chose.

mod document;
mod find;
mod issuer;
mod resource;

pub use find::{Discovery, Fallback, Found};
pub use issuer::{IssuerMetadata, issuer_locations};
pub use resource::{ResourceMetadata, resource_locations};

pub(crate) use document::{Document, get};
