//! An OAuth client for servers behind a URL.

mod answer;
pub mod browse;
pub mod browser;
mod challenge;
pub mod credentials;
pub mod discovery;
pub mod driver;
mod endpoint;
mod error;
pub mod flow;
pub mod listener;
pub mod paste;
pub mod registration;
mod resource;
mod step;
pub mod store;
pub mod token;
mod world;

pub use challenge::{Challenge, Demand};
pub use endpoint::endpoint;
pub use error::LoginError;
pub use resource::{canonical, covers};
pub use step::Step;
pub use world::{RealWorld, World};
