//! An OAuth client for servers behind a URL.

mod answer;
pub mod browse;
pub mod browser;
pub mod credentials;
pub mod listener;
pub mod paste;
pub mod store;
