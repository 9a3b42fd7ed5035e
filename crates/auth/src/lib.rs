//! An OAuth client for servers behind a URL.

pub mod browse;
pub mod credentials;
pub mod store;
