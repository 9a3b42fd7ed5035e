//! A turn: the model is asked, its calls are made, and their results given back to it, until it answers.
//!
//! - `context`: what a turn works with
//! - `take`: the turn itself
//! - `system`: the system prompt
//! - `offered`: the tools that the model is offered
//! - `prepared`: what a call means, and whether it may be made
//! - `permission`: the caller is asked
//! - `calls`: calls are made, side by side where that is safe
//! - `outcome`: what came of a call, for the model and for the caller
//! - `spill`: a result that is too long for the model
//! - `partial`: pieces of an answer, told as they come

mod calls;
mod context;
mod offered;
mod outcome;
mod partial;
mod permission;
mod prepared;
mod spill;
mod system;
mod take;

pub(crate) use context::{Context, Granted, Policy};
pub(crate) use offered::names;
pub(crate) use outcome::{Outcome, resource_text};
pub(crate) use spill::Spill;
pub(crate) use system::system;
pub(crate) use take::take;
