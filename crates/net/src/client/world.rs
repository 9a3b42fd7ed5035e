//! What the engine takes from outside.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::dial::{Dialer, TcpDialer};
use super::resolve::{Resolver, SystemResolver};
use super::tls::Tls;

/// What an engine is made with.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Finds the addresses of names.
    pub resolver: Arc<dyn Resolver>,
    /// Connects to addresses that were checked.
    pub dialer: Arc<dyn Dialer>,
    /// A PEM file with authorities that are trusted beside those of the system. It is read when it is first needed.
    pub authorities: Option<PathBuf>,
    /// The time to make one connection, look-up and encryption included.
    pub connect_timeout: Duration,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            resolver: Arc::new(SystemResolver),
            dialer: Arc::new(TcpDialer),
            authorities: None,
            connect_timeout: Duration::from_secs(30),
        }
    }
}

/// The parts as connections use them.
#[derive(Debug)]
pub(super) struct World {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) dialer: Arc<dyn Dialer>,
    pub(super) tls: Tls,
    pub(super) connect_timeout: Duration,
}

impl From<Parts> for World {
    fn from(parts: Parts) -> Self {
        let Parts { resolver, dialer, authorities, connect_timeout } = parts;
        Self { resolver, dialer, tls: Tls::new(authorities), connect_timeout }
    }
}
