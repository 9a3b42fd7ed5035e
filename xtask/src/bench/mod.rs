//! `cargo xtask bench`: numbers with limits, on release builds.

mod cli;
mod counts;
mod limit;
mod measure;
mod raw;

pub(crate) use cli::cli;
pub(crate) use counts::counts;
pub(crate) use measure::measure;
