//! Tests of the public API on real files.

mod lock;
mod read;
mod replace;
