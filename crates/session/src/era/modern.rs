//! The modern era: every request stands alone, and only the client makes any.

use crate::outcome::{Ignored, Received};

/// A connection on which every request names its revision.
#[derive(Debug)]
pub(crate) struct Modern;

impl Modern {
    /// A modern server makes no requests, and a client writes no responses.
    pub(crate) fn answer<'f>() -> Received<'f> {
        Received::Ignored(Ignored::RequestFromModernServer)
    }
}
