//! Streamable HTTP, asked by bytes over the loopback interface.
//!
//! - `world`: the server that is asked; `wire`: requests as bytes; `aside`: the endpoint without connections
//! - `names`, `forms`, `mirrored`, `authorized`: what is refused, one table a rule
//! - `modern`, `sessions`, `streams`: both eras; `tasks`: those of 2025-11-25
//! - `limits`, `slow`, `leaving`: too much, too slow, and the end

mod aside;
mod authorized;
mod forms;
mod leaving;
mod limits;
mod mirrored;
mod modern;
mod names;
mod sessions;
mod slow;
mod streams;
mod tasks;
mod wire;
mod world;
