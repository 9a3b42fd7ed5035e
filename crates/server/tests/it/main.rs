//! The server as its clients see it: bytes in, bytes out.

mod drive;
mod sessions;
