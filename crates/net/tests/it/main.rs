//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod addresses;
mod consents;
mod lists;
mod origins;
mod proxies;
mod world;

#[cfg(feature = "client")]
mod authorized;
#[cfg(feature = "client")]
mod certified;
#[cfg(feature = "client")]
mod crossing;
#[cfg(feature = "client")]
mod encrypted;
#[cfg(feature = "client")]
mod engine;
#[cfg(feature = "client")]
mod guarded;
#[cfg(feature = "client")]
mod inflated;
#[cfg(feature = "client")]
mod multiplexed;
#[cfg(feature = "client")]
mod network;
#[cfg(feature = "client")]
mod proxied;
#[cfg(feature = "client")]
mod redirected;
#[cfg(feature = "client")]
mod reused;
#[cfg(feature = "client")]
mod server;
#[cfg(feature = "client")]
mod slow;
