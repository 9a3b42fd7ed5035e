//! Requests that need input from the client: by requests of the server in the legacy era, by results that
//! require input in the modern one.

mod answers;
mod asking;
mod form;
mod legacy;
mod modern;
mod questions;
mod router;

pub(crate) use answers::fault;
pub(super) use asking::{Asking, Input};
pub(super) use legacy::one_round;
pub(super) use questions::{Ends, Inquiry, Need, Question, form_of};
pub(super) use router::{Heard, Router};
