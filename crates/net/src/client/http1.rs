//! One HTTP/1 connection, which is driven by whoever uses it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper_util::rt::TokioIo;

use super::dial::Stream;
use super::failure::HEAD_LIMIT;
use super::turn::Turn;
use super::wire::Wire;

pub(super) type Ask = Request<Full<Bytes>>;

/// How often a connection that goes on and on is driven before others have their turn.
const MOST: usize = 8;

/// A connection with one exchange at a time. It has no task of its own: an exchange is then one thing from its request
/// to the end of its answer, and wakes nobody but the task that waits for it.
pub(super) struct Http1 {
    turn: Arc<Turn>,
    /// Wakes the turn.
    waker: Waker,
    /// `None` once it was closed from this side.
    open: Mutex<Option<Open>>,
}

struct Open {
    sender: SendRequest<Full<Bytes>>,
    /// `None` once it has ended; what it still had to do has failed then.
    connection: Option<Connection<TokioIo<Wire>, Full<Bytes>>>,
    wire: Wire,
}

impl fmt::Debug for Http1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http1").finish_non_exhaustive()
    }
}

impl Http1 {
    pub(super) async fn new(stream: Box<dyn Stream>) -> hyper::Result<Self> {
        let wire = Wire::new(stream);
        let (sender, connection) =
            Builder::new().max_buf_size(HEAD_LIMIT).handshake(TokioIo::new(wire.clone())).await?;
        let turn = Arc::new(Turn::default());
        let waker = Arc::clone(&turn).into();
        let open = Open { sender, connection: Some(connection), wire };
        Ok(Self { turn, waker, open: Mutex::new(Some(open)) })
    }

    /// Begins an exchange. Its answer comes while the connection is driven; `None` when it was closed.
    pub(super) fn ask(
        &self,
        request: Ask,
    ) -> Option<impl Future<Output = Result<Response<Incoming>, TrySendError<Ask>>> + use<>> {
        let mut open = self.lock();
        let open = open.as_mut()?;
        self.turn.begin();
        let answer = open.sender.try_send_request(request);
        self.turn.end();
        Some(answer)
    }

    /// Drives the connection until some work on it is done, which the connection wakes; `None` when it was closed.
    pub(super) fn drive<T>(
        &self,
        context: &mut Context<'_>,
        mut work: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<Option<T>> {
        let mut open = self.lock();
        let Some(open) = open.as_mut() else { return Poll::Ready(None) };
        self.turn.wakes(context.waker());
        let mut ours = Context::from_waker(&self.waker);
        for _ in 0..MOST {
            self.turn.begin();
            let mut done = work(&mut ours);
            if done.is_pending() {
                open.advance(&mut ours);
                done = work(&mut ours);
            }
            let happened = self.turn.end();
            if done.is_ready() || !happened {
                return done.map(Some);
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Whether it can be used for another exchange. From now on `idle` is woken when something happens on it.
    pub(super) fn rests(&self, idle: &Waker) -> bool {
        let mut open = self.lock();
        let Some(open) = open.as_mut() else { return false };
        self.turn.wakes(idle);
        open.can_be_asked() || self.is_ready_now(open)
    }

    /// Whether nothing has come on it since it rests.
    pub(super) fn is_quiet(&self) -> bool {
        self.lock().as_ref().is_some_and(|open| open.can_be_asked() && open.wire.is_quiet())
    }

    /// Whether it can be used for another exchange after what has come meanwhile, as far as the runtime knows of it.
    pub(super) fn is_usable(&self) -> bool {
        self.lock().as_mut().is_some_and(|open| self.is_ready_now(open))
    }

    fn is_ready_now(&self, open: &mut Open) -> bool {
        self.turn.begin();
        open.advance(&mut Context::from_waker(&self.waker));
        if self.turn.end() {
            self.waker.wake_by_ref();
        }
        open.can_be_asked()
    }

    /// Closes it, and ends what happens on it.
    pub(super) fn close(&self) {
        let open = self.lock().take();
        if open.is_some() {
            drop(open);
            self.waker.wake_by_ref();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// What fails is told to the exchange.
    fn advance(&mut self, context: &mut Context<'_>) {
        if let Some(connection) = &mut self.connection
            && Pin::new(connection).poll(context).is_ready()
        {
            self.connection = None;
        }
    }

    fn can_be_asked(&self) -> bool {
        self.connection.is_some() && self.sender.is_ready()
    }
}
