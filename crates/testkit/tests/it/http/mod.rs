//! The HTTP modes, spoken to over raw sockets.

mod client;
mod event_stream;
mod forms;
mod legacy;
mod listing;
mod modern;
mod oauth;
mod peer;
mod probe;
mod program;
mod sessions;
mod sizes;
mod status;
mod streams;
mod strict;
mod tools;
