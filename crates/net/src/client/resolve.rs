//! From a host's name to its addresses.

use std::fmt;
use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Finds the addresses of a name.
#[async_trait]
pub trait Resolver: Send + Sync + fmt::Debug {
    /// All addresses of `host`, in the order in which they should be tried.
    ///
    /// # Errors
    /// What the system says when there is none.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}
