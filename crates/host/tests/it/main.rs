//! Sessions in memory, and the parts of one.

mod first_prompt;
mod flags;
mod model;
mod servers;
mod session;
mod turns;
mod window;
mod world;
