//! The engine, and the way out for one guard.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioTimer;

use super::connect::Connector;
use super::failure::{self, HEAD_LIMIT};
use super::send::Response;
use super::tasks::{Spawner, Tasks};
use super::world::{Parts, World};
use crate::{Authorizer, Call, Guard, NetError, Purpose};

/// How long a connection that nobody uses is kept.
const IDLE: Duration = Duration::from_secs(90);

/// How long nothing comes on an HTTP/2 connection before it is asked whether it is still there, and how long
/// that may take. HTTP/1 needs none of it: who gives up a request gives up its connection.
const PING: Duration = Duration::from_secs(30);
const PONG: Duration = Duration::from_secs(20);

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
        let guard = Arc::new(guard);
        let tasks = Tasks::new();
        let connector = Connector { world: Arc::clone(&self.world), guard: Arc::clone(&guard), purpose };
        let client = Client::builder(Spawner(Arc::clone(&tasks)))
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .timer(TokioTimer::new())
            .http1_max_buf_size(HEAD_LIMIT)
            .http2_keep_alive_interval(PING)
            .http2_keep_alive_timeout(PONG)
            // Otherwise a stream that outlives its connection's place in the pool counts as idle, too.
            .http2_keep_alive_while_idle(true)
            .http2_max_header_list_size(u32::try_from(HEAD_LIMIT).expect("it is small"))
            .build(connector);
        Egress { client, guard, purpose, tasks }
    }
}

/// The way out for one guard, with connections that nobody else uses. Clones share them.
///
/// Connections are kept until they were idle for 90 seconds, until [`Self::close`], or until the last clone and the
/// last body are dropped. A Tokio runtime has to be there for every request.
#[derive(Clone)]
pub struct Egress {
    pub(super) client: Client<Connector, Full<Bytes>>,
    pub(super) guard: Arc<Guard>,
    pub(super) purpose: Purpose,
    pub(super) tasks: Arc<Tasks>,
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
    pub async fn send(&self, call: Call, authorizer: Option<&dyn Authorizer>) -> Result<Response, NetError> {
        tokio::select! {
            biased;
            () = self.tasks.closed() => Err(failure::closed()),
            answer = self.run(call, authorizer) => answer,
        }
    }

    /// Waits until [`Self::close`] was called.
    pub async fn closed(&self) {
        self.tasks.closed().await;
    }

    /// Ends whatever is in flight and closes every connection, now and later; returns when none is open.
    pub async fn close(&self) {
        self.tasks.close().await;
    }
}
