//! Servers that are no processes of ours and have no URL.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_transport::Connector;

type Find = dyn Fn(&str) -> Option<Box<dyn Connector>> + Send + Sync;

/// The servers of type `sdk`: a way to each by its name. Clones are the same.
#[derive(Clone)]
pub struct InProcess(Arc<Find>);

impl InProcess {
    /// There are none.
    #[must_use]
    pub fn none() -> Self {
        Self::new(|_| None)
    }

    /// Those that `find` knows a way to. It is asked once for each attempt to connect.
    #[must_use]
    pub fn new(find: impl Fn(&str) -> Option<Box<dyn Connector>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }

    pub(crate) fn connector(&self, server: &str) -> Option<Box<dyn Connector>> {
        (self.0)(server)
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess")
    }
}
