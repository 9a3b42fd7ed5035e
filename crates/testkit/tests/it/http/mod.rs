//! The HTTP modes, spoken to over raw sockets.

mod client;
mod event_stream;
mod legacy;
mod modern;
mod peer;
mod program;
