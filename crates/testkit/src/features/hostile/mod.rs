//! Control characters and escape sequences in every text that a client might print.

mod listed;
mod questions;
mod server;
mod text;

pub(crate) use server::hostile_text;
