//! A small server that does everything right, in any era; faults are put around it.
//!
//! [`Base`] takes a message and gives an [`Answer`]. It is strict where that finds a client's
//! faults: the legacy era wants `initialize` and `notifications/initialized` first, the modern
//! one wants `_meta` in every request.

mod catalogue;
mod client;
mod era;
mod feature;
mod listen;
mod media;
mod paging;
mod reply;
mod server;
mod slow;
mod tools;

pub(crate) use catalogue::Catalogue;
pub(crate) use era::{Era, Handshake, LEGACY, MODERN};
pub(crate) use feature::Feature;
pub(crate) use listen::{PROMPTS_CHANGED, RESOURCES_CHANGED, TOOLS_CHANGED};
pub(crate) use media::{PDF, PNG, WAV};
pub(crate) use paging::Paging;
pub(crate) use reply::{Answer, Reply};
pub(crate) use server::Base;
pub(crate) use slow::progress;
