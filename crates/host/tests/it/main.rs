//! Sessions in memory, and the parts of one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod first_prompt;
mod flags;
mod model;
mod servers;
mod session;
mod skills;
mod turns;
mod window;
mod world;
