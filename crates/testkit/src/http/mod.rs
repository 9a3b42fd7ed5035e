//! Small HTTP/1.1 servers on the loopback interface around the same servers that speak on stdio.
//!
//! One endpoint answers both eras ([`modern`], [`legacy`]), another one the deprecated transport
//! ([`event_stream`]). A [`plan`] says what a mode spoils: gates that stand before the server, shapes that its
//! answers are written in, and the places where it goes another way. Whatever is said goes into a channel and is
//! carried to a connection by a pump, so that a stream can outlive its connection.

mod base64;
mod channel;
mod connection;
mod event_stream;
mod exchange;
mod fake;
mod faults;
pub(crate) mod form;
mod framing;
mod headers;
mod legacy;
pub(crate) mod log;
mod mode;
mod modern;
mod oauth;
mod plan;
mod program;
mod pump;
pub(crate) mod request;
mod response;
mod running;
mod server;
mod session;
mod shape;
mod strict;
mod traffic;
pub(crate) mod wire;

pub use fake::HttpFake;
pub(crate) use mode::listing;
pub(crate) use program::select;
pub use request::HttpRequest;
pub use traffic::Traffic;
