//! The server as its clients see it: bytes in, bytes out.

mod blocking;
mod cancelled;
mod changes;
mod conversations;
mod drive;
mod exchanges;
mod fixture;
mod hostile;
#[cfg(feature = "axum")]
mod http;
mod lists;
mod questions;
mod schemas;
mod sessions;
#[cfg(feature = "skills")]
mod skills;
mod tasks;
mod tasks_in_session;
