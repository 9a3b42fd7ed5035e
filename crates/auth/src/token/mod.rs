//! The token endpoint.
//!
//! [`Exchange`] makes one request for a token of a grant's parameters, says who we are, proves the possession of a key
//! where one is used, and reads the answer. It repeats itself for a nonce, and for the other way to send a secret.

mod assertion;
mod exchange;
mod nonces;
mod proof;
mod reply;
mod signing;
mod who;

pub use exchange::{Exchange, Form};
pub use proof::ProofKey;
pub use reply::{Granted, Kind};
pub use signing::SigningKey;

pub(crate) use nonces::{Learned, Nonces};
pub(crate) use who::{method_of, say_who};
