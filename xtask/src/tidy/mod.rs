//! `cargo xtask tidy`: what neither the compiler nor clippy looks at.

mod check;
mod field_reports;
mod layers;
mod sources;
mod words;

pub(crate) use check::tidy;
