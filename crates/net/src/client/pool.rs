//! The connections of one way out: which are free, and what becomes of those that are not.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Wake, Waker};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::SendRequest;
use hyper::rt::Executor as _;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::held::Held;
use super::http1::Http1;
use super::tasks::{Spawner, Tasks};
use crate::Origin;

/// How long a connection that nobody uses is kept.
const IDLE: Duration = Duration::from_secs(90);

/// A connection that requests are sent on.
#[derive(Debug)]
pub(super) enum Found {
    /// HTTP/1, for one exchange.
    Own(Held),
    /// HTTP/2, for all.
    Shared(SendRequest<Full<Bytes>>),
}

/// Keeps connections. Closing it closes all of them, whoever uses them.
#[derive(Debug)]
pub(super) struct Pool {
    state: Mutex<State>,
    pub(super) tasks: Arc<Tasks>,
    bell: Arc<Bell>,
    /// Rings the bell.
    pub(super) idle: Waker,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    places: Vec<Place>,
    /// Every HTTP/1 connection.
    open: HashMap<u64, Arc<Http1>>,
    next: u64,
    /// Whether somebody looks after those that nobody uses.
    kept: bool,
}

/// The connections to one origin.
#[derive(Debug)]
struct Place {
    origin: Origin,
    /// Those that nobody uses, the one that was used last at the end.
    free: Vec<Free>,
    shared: Option<(SendRequest<Full<Bytes>>, Instant)>,
    /// Who waits for one.
    waiting: VecDeque<oneshot::Sender<Found>>,
}

#[derive(Debug)]
struct Free {
    key: u64,
    connection: Arc<Http1>,
    since: Instant,
}

impl Pool {
    pub(super) fn new() -> Self {
        let bell = Arc::new(Bell::default());
        let idle = Arc::clone(&bell).into();
        Self { state: Mutex::default(), tasks: Tasks::new(), bell, idle }
    }

    /// Where connections to an origin are.
    pub(super) fn place(&self, origin: &Origin) -> usize {
        let places = &mut self.lock().places;
        places.iter().position(|place| place.origin == *origin).unwrap_or_else(|| {
            let (free, waiting) = (Vec::new(), VecDeque::new());
            places.push(Place { origin: origin.clone(), free, shared: None, waiting });
            places.len() - 1
        })
    }

    /// A connection that is there already.
    pub(super) fn find(self: &Arc<Self>, place: usize) -> Option<Found> {
        self.find_in(&mut self.lock(), place)
    }

    /// A connection that is there already, or the wait for one that gets free.
    pub(super) fn find_or_wait(self: &Arc<Self>, place: usize) -> Result<Found, Waiting> {
        let mut state = self.lock();
        self.find_in(&mut state, place).ok_or_else(|| {
            let (give, given) = oneshot::channel();
            state.places[place].waiting.push_back(give);
            Waiting { pool: Arc::clone(self), place, given }
        })
    }

    fn find_in(self: &Arc<Self>, state: &mut State, place: usize) -> Option<Found> {
        let now = Instant::now();
        let at = &mut state.places[place];
        if let Some((sender, used)) = &mut at.shared {
            if !sender.is_closed() && now.saturating_duration_since(*used) < IDLE {
                *used = now;
                return Some(Found::Shared(sender.clone()));
            }
            at.shared = None;
        }
        while let Some(Free { key, connection, since }) = at.free.pop() {
            if now.saturating_duration_since(since) < IDLE {
                return Some(Found::Own(Held::new(Arc::clone(self), place, key, connection)));
            }
            state.open.remove(&key);
        }
        None
    }

    /// Takes up a connection that was made, unless the pool was closed.
    pub(super) fn add(self: &Arc<Self>, place: usize, connection: Http1) -> Option<Held> {
        let mut state = self.lock();
        if state.closed {
            return None;
        }
        let (key, connection) = (state.next, Arc::new(connection));
        state.next += 1;
        state.open.insert(key, Arc::clone(&connection));
        Some(Held::new(Arc::clone(self), place, key, connection))
    }

    /// Takes up a connection for all, unless there is one; whoever waits gets it, too.
    pub(super) fn share(&self, place: usize, sender: SendRequest<Full<Bytes>>) -> SendRequest<Full<Bytes>> {
        let mut state = self.lock();
        let at = &mut state.places[place];
        let there = at.shared.as_ref().filter(|(there, _)| !there.is_closed());
        let sender = there.map_or(sender, |(there, _)| there.clone());
        at.shared = Some((sender.clone(), Instant::now()));
        for give in at.waiting.drain(..) {
            // Who does not want it any more has another.
            let _ = give.send(Found::Shared(sender.clone()));
        }
        sender
    }

    /// Gives a connection to whoever waits, or keeps it.
    pub(super) fn put(self: &Arc<Self>, place: usize, key: u64, connection: &Arc<Http1>) {
        loop {
            let mut state = self.lock();
            let State { places, kept, .. } = &mut *state;
            let at = &mut places[place];
            let Some(give) = at.waiting.pop_front() else {
                at.free.push(Free { key, connection: Arc::clone(connection), since: Instant::now() });
                if !std::mem::replace(kept, true) {
                    let keeping = keep(Arc::downgrade(self), Arc::clone(&self.bell));
                    Spawner(Arc::clone(&self.tasks)).execute(keeping);
                }
                return;
            };
            drop(state);
            let held = Held::new(Arc::clone(self), place, key, Arc::clone(connection));
            match give.send(Found::Own(held)) {
                Ok(()) => return,
                Err(Found::Own(held)) => held.forget(),
                Err(Found::Shared(_)) => return,
            }
        }
    }

    /// A connection is no more.
    pub(super) fn remove(&self, key: u64) {
        self.lock().open.remove(&key);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.tasks.is_closed()
    }

    /// Closes all connections, now and later; returns when none is open.
    pub(super) async fn close(&self) {
        let (open, places) = {
            let mut state = self.lock();
            state.closed = true;
            let State { open, places, .. } = &mut *state;
            for place in places.iter_mut() {
                (place.shared, place.free) = (None, Vec::new());
            }
            let waiting: Vec<_> = places.iter_mut().map(|place| std::mem::take(&mut place.waiting)).collect();
            (std::mem::take(open), waiting)
        };
        drop(places);
        open.values().for_each(|connection| connection.close());
        self.tasks.close().await;
    }

    /// Drops those that have ended, or were not used for long.
    fn sweep(&self) {
        let now = Instant::now();
        let mut state = self.lock();
        let State { places, open, .. } = &mut *state;
        for place in places {
            place.free.retain(|free| {
                let stays = now.saturating_duration_since(free.since) < IDLE && free.connection.is_usable();
                if !stays {
                    open.remove(&free.key);
                }
                stays
            });
            place
                .shared
                .take_if(|(sender, used)| sender.is_closed() || now.saturating_duration_since(*used) >= IDLE);
        }
    }

    fn stop_waiting(&self, place: usize) {
        self.lock().places[place].waiting.retain(|give| !give.is_closed());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.bell.0.notify_one();
    }
}

/// Looks after the connections that nobody uses, until the pool is dropped.
async fn keep(pool: Weak<Pool>, bell: Arc<Bell>) {
    loop {
        // When it rings or not, some time has passed.
        let _ = tokio::time::timeout(IDLE, bell.0.notified()).await;
        let Some(pool) = pool.upgrade() else { return };
        pool.sweep();
        drop(pool);
        tokio::task::yield_now().await;
    }
}

/// Rings when something happens on a connection that nobody uses.
#[derive(Debug, Default)]
struct Bell(Notify);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.notify_one();
    }
}

/// Waits for a connection that gets free.
#[derive(Debug)]
pub(super) struct Waiting {
    pool: Arc<Pool>,
    place: usize,
    given: oneshot::Receiver<Found>,
}

impl Waiting {
    /// A connection; `None` when the pool was closed.
    pub(super) async fn given(&mut self) -> Option<Found> {
        (&mut self.given).await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.given.close();
        self.pool.stop_waiting(self.place);
    }
}
