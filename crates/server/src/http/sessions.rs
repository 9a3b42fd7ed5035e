//! The sessions of legacy clients: found by a name that nobody can guess, and let go when nobody uses them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::authorize::Principal;
use super::kept::{Bounds, Kept};
use super::options::Options;
use crate::Session;

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    limit: usize,
    idle: Idle,
    all: Mutex<HashMap<String, Arc<Open>>>,
}

/// How long a session is kept that nobody uses.
#[derive(Debug, Clone, Copy)]
struct Idle {
    ready: Duration,
    /// While the client has not said that it is ready.
    opening: Duration,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) session: Session,
    pub(super) in_flight: Arc<Semaphore>,
    /// What belongs to no request.
    pub(super) unasked: Arc<Kept>,
    principal: Option<Principal>,
    bounds: Bounds,
    kept_streams: usize,
    streams: Mutex<Streams>,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Streams {
    last: u64,
    all: HashMap<u64, Arc<Kept>>,
    over: VecDeque<u64>,
}

#[derive(Debug)]
struct Used {
    by: usize,
    last: Instant,
}

/// A session in use, which is kept for as long.
#[derive(Debug)]
pub(super) struct InUse(Arc<Open>);

impl Sessions {
    pub(super) fn new(options: &Options) -> Arc<Self> {
        Arc::new(Self {
            limit: options.limits.sessions,
            idle: Idle {
                ready: options.times.idle_session,
                opening: options.times.opening_session.min(options.times.idle_session),
            },
            all: Mutex::default(),
        })
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Open>>> {
        self.all.lock().expect("no holder panics")
    }

    /// Whether there is room for another one. The oldest one makes way whose client has not said that it is ready.
    pub(super) fn make_room(&self) -> bool {
        let mut all = self.all();
        if all.len() < self.limit {
            return true;
        }
        let opening = all.iter().filter_map(|(name, open)| Some((open.opening_since()?, name)));
        let Some(name) = opening.min().map(|(_, name)| name.clone()) else { return false };
        let open = all.remove(&name);
        drop(all);
        open.iter().for_each(|open| open.end());
        true
    }

    /// Keeps a session, and says its name.
    pub(super) fn open(
        self: &Arc<Self>,
        session: Session,
        principal: Option<Principal>,
        options: &Options,
    ) -> (String, Arc<Open>) {
        let limits = &options.limits;
        let bounds = Bounds { events: limits.kept_events, bytes: limits.kept_bytes };
        let open = Arc::new(Open {
            session,
            in_flight: Arc::new(Semaphore::new(limits.in_flight_of_session)),
            unasked: Kept::new(0, bounds),
            principal,
            bounds,
            kept_streams: limits.kept_streams,
            streams: Mutex::default(),
            used: Mutex::new(Used { by: 0, last: Instant::now() }),
        });
        let name = name();
        self.all().insert(name.clone(), open.clone());
        tokio::spawn(expire(Arc::downgrade(self), name.clone(), self.idle));
        (name, open)
    }

    /// A session of somebody; that of another one is none, and one that nobody has used for too long is none any more.
    pub(super) fn find(&self, name: &str, principal: Option<&Principal>) -> Option<InUse> {
        let all = self.all();
        let open = all.get(name).filter(|open| open.principal.as_ref() == principal)?;
        (!open.left(self.idle).is_zero()).then(|| open.in_use())
    }

    /// Lets a session go.
    pub(super) fn end(&self, name: &str) {
        let open = self.all().remove(name);
        if let Some(open) = open {
            open.end();
        }
    }

    /// Nothing is said in any of them any more but what was asked for.
    pub(super) fn hush(&self) {
        self.all().values().for_each(|open| open.unasked.finish(None));
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.all().values().for_each(|open| open.end());
    }
}

/// Ends a session that nobody has used for too long.
async fn expire(sessions: Weak<Sessions>, name: String, idle: Idle) {
    loop {
        let left = {
            let Some(sessions) = sessions.upgrade() else { return };
            let mut all = sessions.all();
            let Some(left) = all.get(&name).map(|open| open.left(idle)) else { return };
            if left.is_zero() {
                let open = all.remove(&name);
                drop(all);
                return open.iter().for_each(|open| open.end());
            }
            left
        };
        tokio::time::sleep(left).await;
    }
}

impl Open {
    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().expect("no holder panics")
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().expect("no holder panics")
    }

    pub(super) fn in_use(self: &Arc<Self>) -> InUse {
        self.used().by += 1;
        InUse(self.clone())
    }

    /// How long it is kept from now on, if nobody uses it.
    fn left(&self, idle: Idle) -> Duration {
        let idle = if self.session.is_opening() { idle.opening } else { idle.ready };
        let used = self.used();
        if used.by > 0 { idle } else { idle.saturating_sub(used.last.elapsed()) }
    }

    /// When it was last used, if nobody uses it and its client has not said that it is ready.
    fn opening_since(&self) -> Option<Instant> {
        let used = self.used();
        (used.by == 0 && self.session.is_opening()).then_some(used.last)
    }

    /// A stream for a request.
    pub(super) fn begin_stream(&self) -> Arc<Kept> {
        let mut streams = self.streams();
        streams.last += 1;
        let stream = Kept::new(streams.last, self.bounds);
        let number = streams.last;
        streams.all.insert(number, stream.clone());
        stream
    }

    /// The stream with this number.
    pub(super) fn stream(&self, number: u64) -> Option<Arc<Kept>> {
        match number {
            0 => Some(self.unasked.clone()),
            _ => self.streams().all.get(&number).cloned(),
        }
    }

    /// Nobody can ask for a stream again.
    pub(super) fn forget_stream(&self, number: u64) {
        let mut streams = self.streams();
        streams.all.remove(&number);
        streams.over.retain(|over| *over != number);
    }

    /// A stream has come to its end; the oldest of those are forgotten.
    pub(super) fn stream_is_over(&self, number: u64) {
        let mut streams = self.streams();
        if !streams.all.contains_key(&number) {
            return;
        }
        streams.over.push_back(number);
        while streams.over.len() > self.kept_streams {
            let oldest = streams.over.pop_front().expect("there are some");
            streams.all.remove(&oldest);
        }
    }

    fn end(&self) {
        self.session.close();
        self.unasked.finish(None);
    }
}

impl std::ops::Deref for InUse {
    type Target = Open;

    fn deref(&self) -> &Open {
        &self.0
    }
}

impl Clone for InUse {
    fn clone(&self) -> Self {
        self.0.in_use()
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut used = self.0.used();
        used.by -= 1;
        used.last = Instant::now();
    }
}

/// 192 random bits as visible ASCII (MCP 2025-11-25, basic/transports).
fn name() -> String {
    let mut bytes = [0; 24];
    SystemRandom::new().fill(&mut bytes).expect("the system has randomness");
    URL_SAFE_NO_PAD.encode(bytes)
}
