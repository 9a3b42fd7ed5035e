//! `mcp login` and `mcp logout`.
//!
//! - `login`: a person logs in, and what came of it
//! - `person`: what they are told meanwhile, and what they paste
//! - `logout`: a person logs out
//! - `forget`: a login goes with the server that is removed

mod forget;
#[expect(clippy::module_inception, reason = "the file is named for its command")]
mod login;
mod logout;
mod person;

pub(super) use forget::{Forgettable, Forgotten};
pub(super) use login::login;
pub(super) use logout::logout;
