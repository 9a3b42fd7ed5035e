//! Logins carried out: requests made, browsers sent, credentials kept.
//!
//! ```text
//! NoToken ── 401 ──> login ──> Ready ── 401 ──> refresh ──> Ready
//!                                 ├── 403, too few scopes ──> login with more (at most three in a row)
//!                                 └── another issuer ──> what the former gave is forgotten ──> login
//! ```

mod attempts;
mod authorizer;
mod books;
mod header;
mod logout;
mod oauth;
mod refresh;
mod remedy;
mod run;
mod world;

pub use authorizer::OAuthAuthorizer;
pub use logout::{LoggedOut, Revocation};
pub use oauth::OAuth;
pub use world::{Parts, ShowCode, Subject};
