//! Logins with the binary as it is shipped, at providers that others wrote.
//!
//! - `plain`: one exchange of HTTP
//! - `visitor`: a person with a browser that has no screen
//! - `machine`: a home in which the binary runs
//! - `provider`: a provider with a server beside it
//! - `all`: which checks there are
//! - `certified`: checks of a login's whole life at oidc-provider
//! - `own`: checks at a server that gives its tokens itself
//! - `chromium`: checks with a real browser
//! - `keyring`: checks with a real keyring

mod all;
mod certified;
mod chromium;
mod keyring;
mod machine;
mod own;
mod plain;
mod provider;
mod visitor;

pub(crate) use all::checks;
