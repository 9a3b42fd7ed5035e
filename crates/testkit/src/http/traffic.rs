//! What comes to a fake, for those who outlive it.

use super::log::Log;
use super::request::HttpRequest;
use std::sync::Arc;

/// Everything that comes to a fake.
#[derive(Clone)]
pub struct Traffic(pub(super) Arc<Log>);

impl Traffic {
    /// Every request, in the order they were read.
    #[must_use]
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.0.requests()
    }
}
