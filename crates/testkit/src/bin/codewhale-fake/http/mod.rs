//! A small HTTP/1.1 server on the loopback interface around the same well-behaved server.
//!
//! It prints `PORT n` on stdout once it listens and ends when its stdin ends. Gates stand before the
//! server and may answer a request in its place; the HTTP modes are made of them.

mod gates;
mod listen;
mod request;
mod response;
mod sse;
mod wire;

pub(crate) use gates::{fixed, forbidden, hang, lost_session, redirect, unauthorized};
pub(crate) use listen::listen;
pub(crate) use wire::{JSON_FLAGS, SSE_FLAGS, Wire, json, sse};
