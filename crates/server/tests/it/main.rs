//! The server as its clients see it: bytes in, bytes out.

mod drive;
#[cfg(feature = "axum")]
mod http;
mod sessions;
