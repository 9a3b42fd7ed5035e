//! What a server asks while it works, answered by a person, by a file, or not at all.
//!
//! - `answers`: takes the questions, one after the other
//! - `declined`: the questions that were declined, and whether that was meant
//! - `dialog`: what is said to the person, and what they type
//! - `form`: a form, field by field, and the look at all of it before it is sent
//! - `field`: one field: how it is shown, and what a typed line means
//! - `filled`: a form from the answers file
//! - `visit`: an address that the person is to open
//! - `address`: whether an address may be shown as one to open, and what is odd about it
//! - `script`: the scripts that a host's name is written in
//! - `sampling`: a question for a model
//! - `file`: the answers file
//! - `roots`: the folders that the server may know of

mod address;
#[expect(clippy::module_inception, reason = "the file is named for its type")]
mod answers;
mod declined;
mod dialog;
mod field;
mod file;
mod filled;
mod form;
mod roots;
mod sampling;
mod script;
mod visit;

pub(crate) use answers::Answers;
