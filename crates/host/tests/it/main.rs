//! Sessions in memory, and the parts of one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bounds;
mod first_prompt;
mod flags;
mod insistence;
mod long_results;
mod model;
mod pieces;
mod servers;
mod session;
mod skills;
mod turns;
mod wanted;
mod window;
mod world;
