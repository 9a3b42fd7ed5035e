//! Every definition of every revision has a type that holds it.
//!
//! - `rows`: which type, for each name
//! - `instances`: what a definition describes, made from its schema
//! - `check`: the two together

mod check;
mod instances;
pub(crate) mod rows;
