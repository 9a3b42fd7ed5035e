//! The loopback listener: where the browser comes back to (RFC 8252, section 7.3).
//!
//! ```text
//! land: bind, then the redirect URI is known
//!   └ visit: tell the person, open the browser, then whatever comes first of
//!       ├ a GET of the path with the right state ──> its query; its browser is kept waiting
//!       ├ the same pasted by hand               ──> its query
//!       └ the time limit                        ──> an error
//!   └ show: the page with the outcome
//! dropped: the port is free, a browser that still waits is told to go back
//! ```
//!
//! Everything else that arrives gets an error page and changes nothing. No request leads to more than one answer, no
//! page shows anything that a request said.

mod bind;
mod callback;
mod connection;
mod head;
mod judge;
mod landing;
mod page;
mod person;

pub use callback::{Callback, CallbackError};
pub use landing::Loopback;
pub use person::{Opened, Person, Visit};
