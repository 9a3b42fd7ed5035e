//! The ways to misbehave over HTTP, grouped by what they spoil; each has the rows of the table that are its own.

pub(super) mod answers;
pub(super) mod endpoints;
pub(super) mod events;
pub(super) mod general;
pub(super) mod headers;
pub(super) mod names;
pub(super) mod notified;
pub(super) mod probe;
pub(super) mod redirects;
pub(super) mod sessions;
pub(super) mod sizes;
pub(super) mod status;
pub(super) mod streams;
pub(super) mod versions;
