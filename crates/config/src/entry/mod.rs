//! One server as a file describes it, nothing expanded yet.
//!
//! - `definition`: the rich type, every value with its place
//! - `keys`: the names of the members
//! - `fields`: reads typed values out of nodes and writes down what is wrong
//! - `maps`: `env`, `headers` and the like
//! - `read`: from a node to a definition
//! - `check`: the rules between members
//! - `hash`: the fingerprint a consent is bound to
//! - `literal`: secrets that stand in the file as they are
//! - `placeholder`: what a vendor's page wants to be replaced
//! - `forms`: `${…}` that nobody expands
//! - `sent`: what a remote server is sent of the environment

mod check;
mod definition;
mod fields;
mod forms;
mod hash;
mod keys;
mod literal;
mod maps;
mod placeholder;
mod read;
mod sent;

pub(crate) use check::{url_expectation, value_expectation};
pub use definition::{Auth, AutoApprove, Kind, Pair, ServerEntry};
pub(crate) use fields::Fields;
pub use hash::DefinitionHash;
pub(crate) use hash::hex_digest;
pub(crate) use keys::suggestion;
pub(crate) use read::{read_definition, read_timeouts};
