//! Every mode of the fake, played raw over pipes and sockets.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod eras;
mod everything;
mod hostile;
mod http;
mod modes;
mod play;
mod processes;
mod questions;
mod record;
mod scripts_plain;
mod scripts_spoilt;
mod strict;
mod talk;
mod tasks;
