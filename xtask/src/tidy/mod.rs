//! `cargo xtask tidy`: what neither the compiler nor clippy looks at.

mod check;
mod layers;
mod named_tests;
mod sources;
mod words;

pub(crate) use check::tidy;
