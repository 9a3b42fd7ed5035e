//! The example as its clients see it.

mod process;
mod tools;
