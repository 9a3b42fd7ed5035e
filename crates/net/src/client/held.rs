//! An HTTP/1 connection in use.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Response;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;

use super::http1::{Ask, Http1};
use super::pool::Pool;

/// A connection for one exchange. It goes back to its pool when it can be used again, and is closed when it is dropped
/// before.
#[derive(Debug)]
pub(super) struct Held {
    pool: Arc<Pool>,
    place: usize,
    key: u64,
    connection: Arc<Http1>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No exchange is on its way.
    Free,
    /// One is.
    Asked,
    /// It is another's now.
    Given,
}

impl Held {
    pub(super) fn new(pool: Arc<Pool>, place: usize, key: u64, connection: Arc<Http1>) -> Self {
        Self { pool, place, key, connection, state: State::Free }
    }

    /// Whether a request may leave on it: nothing came since it was used last, or nothing that ends it. Who is sent a
    /// request on a connection that they have closed never sees it.
    pub(super) async fn is_fresh(&self) -> bool {
        if self.connection.is_quiet() {
            return true;
        }
        // Then the runtime learns of what has come.
        tokio::task::yield_now().await;
        self.connection.is_usable()
    }

    /// Begins an exchange; see [`Http1::ask`].
    pub(super) fn ask(
        &mut self,
        request: Ask,
    ) -> Option<impl Future<Output = Result<Response<Incoming>, TrySendError<Ask>>> + use<>> {
        self.state = State::Asked;
        self.connection.ask(request)
    }

    /// See [`Http1::drive`].
    pub(super) fn drive<T>(
        &self,
        context: &mut Context<'_>,
        work: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<Option<T>> {
        self.connection.drive(context, work)
    }

    /// The exchange has come to its end.
    pub(super) fn finish(mut self) {
        self.state = State::Free;
    }

    /// Leaves it as it is.
    pub(super) fn forget(mut self) {
        self.state = State::Given;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        match self.state {
            State::Free if self.connection.rests(&self.pool.idle) => {
                self.pool.put(self.place, self.key, &self.connection);
            }
            State::Free | State::Asked => {
                self.connection.close();
                self.pool.remove(self.key);
            }
            State::Given => {}
        }
    }
}
