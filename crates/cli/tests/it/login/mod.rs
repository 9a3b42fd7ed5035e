//! Logging in, using it, and logging out.
//!
//! - `world`: a machine with a server that wants a login
//! - `browser`: a browser whose person agrees
//! - `used`: logins that are used, renewed and ended
//! - `ways`: how a person logs in
//! - `kept`: where credentials are, and where they are not seen
//! - `refused`: logins that come to nothing
//! - `hostile`: servers that lead a login astray
mod browser;
mod hostile;
mod kept;
mod refused;
mod used;
mod ways;
mod world;

pub(crate) use browser::Browser;
