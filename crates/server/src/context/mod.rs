//! What a handler is given beside the request.
//!
//! - `handle`: the handle itself
//! - `control`: whether the request is still wanted
//! - `input`: asking the client and its user, the same in both eras
//! - `rounds`: questions and answers of a modern request, which goes out again with them
//! - `task`: going on as a task
//! - `seal`: what is kept between rounds, so that nobody changes it

mod control;
mod handle;
mod input;
mod rounds;
mod seal;
mod task;

pub(crate) use control::Control;
pub use handle::Context;
pub(crate) use handle::{Asking, Parts};
pub use input::InputError;
pub(crate) use input::can_be_asked;
pub(crate) use rounds::{Kept, Rounds, input_required};
pub(crate) use seal::{Seal, fingerprint};
