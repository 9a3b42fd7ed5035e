//! `cargo xtask tidy`: what neither the compiler nor clippy looks at.

mod check;
mod layers;
mod sources;

pub(crate) use check::tidy;
