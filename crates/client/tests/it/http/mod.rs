//! Messages in exchanges of their own, against a server in this process that the test plays, with a paused clock.

mod answers;
mod any_order;
mod cancellation;
mod connecting;
mod cuts;
mod ends;
mod event_stream;
mod faults;
mod headers;
mod hearing;
mod in_parallel;
mod listening;
mod mirrored;
mod questions;
mod renewals;
mod retries;
mod sessions;
mod unread;
mod web;
mod wire;
