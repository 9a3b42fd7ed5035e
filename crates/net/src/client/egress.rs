//! The engine, and the way out for one guard.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::connect::Connector;
use super::destination::Known;
use super::failure;
use super::pool::Pool;
use super::send::Response;
use super::world::{Parts, World};
use crate::{Authorizer, Call, Guard, NetError, Purpose};

/// What all requests share. Clones are the same engine.
#[derive(Debug, Clone)]
pub struct Engine {
    world: Arc<World>,
}

impl Engine {
    /// An engine of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { world: Arc::new(parts.into()) }
    }

    /// A way out for requests of one purpose that a guard judges, with no connections yet.
    #[must_use]
    pub fn egress(&self, guard: Guard, purpose: Purpose) -> Egress {
        let (connector, known) = (Connector { world: Arc::clone(&self.world) }, Arc::default());
        Egress { connector, guard: Arc::new(guard), purpose, known, pool: Arc::new(Pool::new()) }
    }
}

/// The way out for one guard, with connections that nobody else uses. Clones share them.
///
/// Connections are kept until they were idle for 90 seconds, until [`Self::close`], or until the last clone and the
/// last body are dropped. A Tokio runtime has to be there for every request.
#[derive(Clone)]
pub struct Egress {
    pub(super) connector: Connector,
    pub(super) guard: Arc<Guard>,
    pub(super) purpose: Purpose,
    pub(super) known: Arc<Known>,
    pub(super) pool: Arc<Pool>,
}

impl fmt::Debug for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Egress").field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

impl Egress {
    /// Sends a request and waits for the head of its answer, of whatever status. Dropping the future, or the answer's
    /// body before its end, ends the exchange.
    ///
    /// The authorizer is asked for every hop within the origin, and the request is sent again as it wishes.
    ///
    /// # Errors
    /// [`NetError`] when there is no answer.
    pub fn send(
        &self,
        call: Call,
        authorizer: Option<&dyn Authorizer>,
    ) -> impl Future<Output = Result<Response, NetError>> {
        self.run(call, authorizer)
    }

    /// Waits until [`Self::close`] was called.
    pub async fn closed(&self) {
        self.pool.tasks.closed().await;
    }

    /// Ends whatever is in flight and closes every connection, now and later; returns when none is open.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Waits for something that does not end by itself when the connections are closed.
    pub(super) async fn unless_closed<T>(&self, work: impl Future<Output = T>) -> Result<T, NetError> {
        tokio::select! {
            biased;
            () = self.closed() => Err(failure::closed()),
            done = work => Ok(done),
        }
    }
}
