//! A connection as its tasks and its handles share it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{Era, HeaderArgumentFault, Reply, Revision, method};
use codewhale_mcp_session::{Budget, EncodeError, More, Pen, Session, Ticket, Time};
use serde::Serialize;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::asked::answer;
use crate::cache::{Cache, Key};
use crate::error::Gone;
use crate::handler::Handlers;
use crate::lane::{ExchangeFault, Lane, Message, Routed, arguments, carry};
use crate::options::Options;
use crate::pending::Pending;
use crate::state::{Effects, HIGH_WATER, Settled, State, Wants};
use crate::teller::Teller;

/// So many requests are worth a write of their own.
const AT_ONCE: usize = 64;

/// How many events are kept for a receiver that does not keep up.
const EVENTS_KEPT: usize = 1024;

/// Room for a message that is posted: it goes away with its exchange, so that the next one begins with none.
const POSTED: usize = 512;

/// A connection as its tasks and its handles share it.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    epoch: Instant,
    /// Where a caller may write its own request.
    #[cfg(unix)]
    pipe: Mutex<Option<Arc<tokio::net::unix::pipe::Sender>>>,
    /// A nearer deadline, or the end.
    pub(crate) keeper: Notify,
    /// A slot or space for bytes became free.
    pub(crate) room: Notify,
    pub(crate) events: Teller,
    /// The connection is closing: what cannot be written soon need not be written.
    pub(crate) ended: Notify,
    /// The connection is over: nothing more is read.
    pub(crate) over: Notify,
    pub(crate) handlers: Handlers,
    pub(crate) cache: Mutex<Cache>,
    /// How many subscriptions watch each resource of a legacy server.
    pub(crate) watched: Mutex<HashMap<String, usize>>,
    /// Where messages are exchanged.
    lane: Option<Arc<Lane>>,
    /// The stream of what the server says by itself is open.
    pub(crate) heard: AtomicBool,
    /// How long the answer to a small request may take.
    pub(crate) patience: Duration,
}

/// Why a request did not leave.
#[derive(Debug)]
pub(crate) enum NotSent {
    /// There is no room at the moment.
    NoRoom,
    ClosedHere,
    Gone(Arc<Gone>),
    Encode(EncodeError),
    /// An argument that a header repeats is not of its type.
    Mirror(HeaderArgumentFault),
}

impl Shared {
    pub(crate) fn new(
        session: Session,
        verdict: oneshot::Sender<Settled>,
        lane: Option<Lane>,
        options: &Arc<Options>,
    ) -> Self {
        let events = match &options.observer {
            Some(observer) => observer.0.clone(),
            None => Teller::new(EVENTS_KEPT),
        };
        Self {
            state: Mutex::new(State::new(session, verdict, events.clone())),
            epoch: Instant::now(),
            #[cfg(unix)]
            pipe: Mutex::new(None),
            keeper: Notify::new(),
            room: Notify::new(),
            events,
            ended: Notify::new(),
            over: Notify::new(),
            handlers: Handlers::new(options.clone()),
            cache: Mutex::default(),
            watched: Mutex::default(),
            lane: lane.map(Arc::new),
            heard: AtomicBool::new(false),
            patience: options.read_timeout,
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while it holds the lock")
    }

    pub(crate) fn now(&self) -> Time {
        self.epoch.elapsed()
    }

    /// The moment of a deadline; one that no clock can show never comes.
    pub(crate) fn instant(&self, time: Time) -> Option<Instant> {
        self.epoch.checked_add(time)
    }

    /// Does what had to wait for the lock to be free.
    pub(crate) fn fire(self: &Arc<Self>, effects: &mut Effects) {
        if !effects.events.is_empty() || !effects.asked.is_empty() {
            self.tell(effects);
        }
        // Before the writing task: what is asked for as soon as the handshake is over leaves with its last message.
        if let Some(settled) = effects.verdict.take() {
            let (sender, verdict) = *settled;
            let _ = sender.send(verdict);
        }
        let turn = self.turn(effects.wakers.len());
        for (number, waker) in effects.wakers.drain(..).enumerate() {
            if turn == Some(number) {
                wake(self.lock().writer.take());
            }
            waker.wake();
        }
        if std::mem::take(&mut effects.room) {
            self.room.notify_one();
        }
    }

    /// Before which of many who are woken the writing task has its turn. Most of them ask for more at once, and a
    /// server that has little else to do works on what the first half asks for while the second half runs.
    fn turn(&self, woken: usize) -> Option<usize> {
        let would_wait = || self.lock().session.in_flight() < AT_ONCE;
        (woken >= 2 * AT_ONCE && would_wait()).then_some(woken / 2)
    }

    #[inline(never)]
    fn tell(self: &Arc<Self>, effects: &mut Effects) {
        for event in effects.events.drain(..) {
            self.events.tell(&event);
        }
        for asked in effects.asked.drain(..) {
            tokio::spawn(answer(self.clone(), asked));
        }
    }

    pub(crate) fn close(self: &Arc<Self>, gone: Gone) {
        let mut effects = Effects::default();
        self.lock().close(gone, &mut effects);
        self.drop_pipe();
        self.fire(&mut effects);
        self.keeper.notify_one();
        self.ended.notify_one();
        self.over.notify_waiters();
        self.over.notify_one();
    }

    /// Waits for the end of the connection.
    pub(crate) async fn until_over(&self) {
        let over = self.over.notified();
        if self.lock().gone.is_none() {
            over.await;
        }
    }

    pub(crate) fn begin_closing(&self) {
        let waker = self.lock().begin_closing();
        self.drop_pipe();
        wake(waker);
        self.room.notify_one();
        self.ended.notify_one();
    }

    #[cfg(unix)]
    pub(crate) fn share_pipe(&self, pipe: Arc<tokio::net::unix::pipe::Sender>) {
        *self.pipe.lock().expect("nothing panics while it holds the lock") = Some(pipe);
    }

    /// Lets go of the pipe, whose last holder closes the server's input.
    pub(crate) fn drop_pipe(&self) {
        #[cfg(unix)]
        drop(self.pipe.lock().expect("nothing panics while it holds the lock").take());
    }

    /// Sends one request, as far as it can be sent without waiting.
    pub(crate) fn submit<P: Serialize + ?Sized>(
        self: &Arc<Self>,
        method: &'static str,
        (params, more, name): (&P, More<'_>, Option<&str>),
        life: Life,
        (wants, waker): (Wants, Option<&Waker>),
    ) -> Result<Pending, NotSent> {
        let (pending, pen, mut frame, nearer) = {
            let now = self.now();
            let mut state = self.lock();
            if state.closing {
                return Err(NotSent::ClosedHere);
            }
            if let Some(gone) = &state.gone {
                return Err(NotSent::Gone(gone.clone()));
            }
            let Some(pen) = state.session.pen().cloned() else { return Err(NotSent::ClosedHere) };
            if state.out.len() > HIGH_WATER {
                return Err(NotSent::NoRoom);
            }
            let ticket = match life {
                Life::Limited(budget) => state.session.reserve(now, budget),
                Life::UntilItsEnd => state.session.listen(now),
            };
            let ticket = ticket.map_err(|_| NotSent::NoRoom)?;
            let key = state.add_waiter(ticket, wants, waker.cloned());
            let deadline = state.session.next_deadline();
            let nearer = deadline.is_some() && state.armed.is_none_or(|armed| deadline < Some(armed));
            if nearer {
                state.armed = deadline;
            }
            (Pending::new(self.clone(), ticket, key, now, waker.is_some()), pen, state.lend(), nearer)
        };
        if nearer {
            self.keeper.notify_one();
        }
        if self.lane.is_some() {
            frame.reserve(POSTED);
        }
        if let Err(error) = pen.request_with(pending.ticket().id(), method, params, more, &mut frame) {
            return Err(NotSent::Encode(error));
        }
        if self.lane.is_some() {
            return self.exchange(pending, &pen, (method, name), frame).map_err(NotSent::Mirror);
        }
        let waker = self.send(&pending, frame);
        wake(waker);
        Ok(pending.sent())
    }

    /// A request that leaves in an exchange of its own, with the headers that belong to it.
    #[inline(never)]
    fn exchange(
        self: &Arc<Self>,
        pending: Pending,
        pen: &Pen,
        (method, name): (&'static str, Option<&str>),
        frame: Vec<u8>,
    ) -> Result<Pending, HeaderArgumentFault> {
        let wants = match name {
            Some(tool) if method == method::TOOLS_CALL => self.lane().headers_of(tool),
            _ => None,
        };
        let mirrored = match wants {
            Some(headers) => headers.values(&arguments(&frame))?,
            None => Vec::new(),
        };
        let routed = Routed { name, mirrored: &mirrored };
        let message = Message::request(frame, method, pen.revision(), routed);
        let exchange = carry(self.clone(), pending.ticket(), message);
        Ok(pending.carried(Box::pin(exchange)))
    }

    /// The way to the server, of a connection that has one.
    pub(crate) fn lane(&self) -> &Arc<Lane> {
        self.lane.as_ref().expect("only what runs on a lane asks for it")
    }

    /// The same where it is not known whether there is one.
    pub(crate) fn lane_if_any(&self) -> Option<&Arc<Lane>> {
        self.lane.as_ref()
    }

    /// Whether tools say which of their arguments stand in headers: in the modern era, over HTTP.
    pub(crate) fn mirrors_arguments(&self) -> bool {
        self.lane.is_some() && self.revision().is_some_and(|revision| revision.era() == Era::Modern)
    }

    /// The revision that is spoken, once the handshake is over.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.lock().session.pen().and_then(|pen| pen.revision())
    }

    /// Whether this is the request of the handshake.
    pub(crate) fn shakes_hands(&self, ticket: Ticket) -> bool {
        self.lock().session.asking().is_some_and(|asking| asking.ticket == ticket)
    }

    pub(crate) fn is_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }

    /// Deals with a message that came in the exchange of a request, or by itself; whether that request still waits.
    pub(crate) fn take(self: &Arc<Self>, exchange: Option<Ticket>, frame: Bytes) -> bool {
        let mut effects = Effects::default();
        let waits = {
            let mut state = self.lock();
            state.receive_from(|| self.now(), exchange, frame, &mut effects);
            exchange.is_some_and(|ticket| state.session.is_waiting(ticket))
        };
        self.fire(&mut effects);
        waits
    }

    pub(crate) fn no_answer(self: &Arc<Self>, ticket: Ticket, fault: ExchangeFault) {
        let (mut effects, now) = (Effects::default(), self.now());
        self.lock().no_answer(now, ticket, fault, &mut effects);
        self.fire(&mut effects);
    }

    /// Takes up another revision that a modern server named when it refused one; whether there is one.
    pub(crate) fn reselect(&self, theirs: &[String]) -> bool {
        self.lock().session.reselect(theirs).is_some()
    }

    /// A result that is still true, and how often its kind has changed so far.
    pub(crate) fn kept(&self, key: &Key) -> (Option<(Bytes, Reply)>, u64) {
        let change = self.lock().changes.of(key.0);
        let mut cache = self.cache.lock().expect("nothing panics while it holds the lock");
        (cache.fresh(key, change, Instant::now()), change)
    }

    /// Keeps a result while it is true, unless its kind has changed since it was asked for.
    pub(crate) fn keep(&self, key: Key, result: (Bytes, Reply), ttl: Duration, change: u64) {
        let mut cache = self.cache.lock().expect("nothing panics while it holds the lock");
        cache.keep(key, result, ttl, change, Instant::now());
    }

    fn send(&self, pending: &Pending, frame: Vec<u8>) -> Option<Waker> {
        let mut state = self.lock();
        if state.gone.is_some() {
            return None;
        }
        let written = if state.may_write_inline() { self.try_write(&frame) } else { 0 };
        if written == frame.len() {
            state.hand_back(frame);
            // It sees to it that a large buffer does not stay.
            return if state.is_roomy() { state.writer.take() } else { None };
        }
        state.enqueue(pending.key(), frame, written)
    }

    /// How many bytes the pipe took at once. An error shows itself to the writing task, which tries again.
    #[cfg(unix)]
    fn try_write(&self, frame: &[u8]) -> usize {
        let pipe = self.pipe.lock().expect("nothing panics while it holds the lock");
        pipe.as_ref().and_then(|pipe| pipe.try_write(frame).ok()).unwrap_or(0)
    }

    #[cfg(not(unix))]
    fn try_write(&self, _frame: &[u8]) -> usize {
        0
    }

    pub(crate) fn give_up(&self, key: u32, ticket: Ticket, left: Left) {
        let (waker, room) = {
            let mut state = self.lock();
            let waker = match left {
                Left::Nothing => {
                    state.session.release(ticket);
                    None
                }
                Left::Frame => state.give_up(key, ticket, "cancelled"),
            };
            state.remove_waiter(key);
            (waker, state.waiting_for_room > 0)
        };
        wake(waker);
        if room {
            self.room.notify_one();
        }
    }
}

/// How long a request may live.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Life {
    Limited(Budget),
    /// Its answer ends a stream.
    UntilItsEnd,
}

/// What of a request was handed to the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    Frame,
}

pub(crate) fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}
