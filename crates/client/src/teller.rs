//! Tells events to whoever listens, each in its own time and within bounds.
//!
//! A listener has a queue of its own, which takes memory for what waits in it and for nothing else: most connections
//! have nothing to tell.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use tokio::task::coop::cooperative;

use crate::event::Event;
use crate::shared::wake;

/// Who tells. Clones tell the same listeners, who have heard everything when the last clone is gone.
#[derive(Debug, Clone)]
pub(crate) struct Teller(Arc<Audience>);

#[derive(Debug)]
struct Audience {
    kept: usize,
    queues: Mutex<Vec<Weak<Mutex<Queue>>>>,
}

/// Who listens, from the moment on that this was made.
#[derive(Debug)]
pub(crate) struct Listener(Arc<Mutex<Queue>>);

/// What a listener hears.
#[derive(Debug)]
pub(crate) enum Heard {
    Event(Event),
    /// It did not keep up: what came before the next event is lost.
    Missed,
    /// Nobody tells any more.
    Over,
}

#[derive(Debug, Default)]
struct Queue {
    events: VecDeque<Event>,
    missed: bool,
    over: bool,
    waker: Option<Waker>,
}

impl Teller {
    /// For listeners who have the last `kept` events while they do not keep up.
    pub(crate) fn new(kept: usize) -> Self {
        Self(Arc::new(Audience { kept: kept.max(1), queues: Mutex::default() }))
    }

    pub(crate) fn listener(&self) -> Listener {
        let queue = Arc::new(Mutex::default());
        let mut queues = lock(&self.0.queues);
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(&queue));
        Listener(queue)
    }

    pub(crate) fn is_listened_to(&self) -> bool {
        lock(&self.0.queues).iter().any(|queue| queue.strong_count() > 0)
    }

    /// Tells everybody who listens; nobody listening is no fault.
    pub(crate) fn tell(&self, event: &Event) {
        for queue in lock(&self.0.queues).iter().filter_map(Weak::upgrade) {
            let waker = lock(&queue).take_in(event.clone(), self.0.kept);
            wake(waker);
        }
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        for queue in lock(&self.queues).iter().filter_map(Weak::upgrade) {
            let waker = lock(&queue).end();
            wake(waker);
        }
    }
}

impl Listener {
    /// What comes next. May be dropped while it waits without a loss.
    pub(crate) async fn next(&mut self) -> Heard {
        cooperative(poll_fn(|context| lock(&self.0).poll(context))).await
    }

    /// The same, if it is there already.
    pub(crate) fn ready(&mut self) -> Option<Heard> {
        lock(&self.0).next()
    }
}

impl Queue {
    fn take_in(&mut self, event: Event, kept: usize) -> Option<Waker> {
        if self.events.len() == kept {
            self.events.pop_front();
            self.missed = true;
        }
        self.events.push_back(event);
        self.waker.take()
    }

    fn end(&mut self) -> Option<Waker> {
        self.over = true;
        self.waker.take()
    }

    fn next(&mut self) -> Option<Heard> {
        if mem::take(&mut self.missed) {
            return Some(Heard::Missed);
        }
        match self.events.pop_front() {
            Some(event) => Some(Heard::Event(event)),
            None => {
                self.events = VecDeque::new();
                self.over.then_some(Heard::Over)
            }
        }
    }

    fn poll(&mut self, context: &Context<'_>) -> Poll<Heard> {
        match self.next() {
            Some(heard) => Poll::Ready(heard),
            None => {
                self.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(heard: Heard) -> String {
        match heard {
            Heard::Event(Event::ResourceUpdated { uri }) => uri.to_string(),
            Heard::Event(other) => panic!("nobody told {other:?}"),
            Heard::Missed => "missed".to_owned(),
            Heard::Over => "over".to_owned(),
        }
    }

    fn tell(teller: &Teller, uri: &str) {
        teller.tell(&Event::ResourceUpdated { uri: uri.into() });
    }

    #[tokio::test]
    async fn each_listener_hears_what_is_told_from_its_beginning() {
        let teller = Teller::new(8);
        tell(&teller, "nobody");
        assert!(!teller.is_listened_to());
        let mut one = teller.listener();
        tell(&teller, "a");
        let mut other = teller.clone().listener();
        tell(&teller, "b");
        assert_eq!(told(one.next().await), "a");
        assert_eq!(told(other.next().await), "b");
        drop(other);
        assert!(teller.is_listened_to());
        assert_eq!(told(one.ready().unwrap()), "b");
        assert!(one.ready().is_none());
        drop(one);
        assert!(!teller.is_listened_to());
    }

    #[tokio::test]
    async fn who_does_not_keep_up_hears_that_once_and_then_the_last_ones() {
        let teller = Teller::new(2);
        let (mut slow, mut quick) = (teller.listener(), teller.listener());
        for uri in ["a", "b", "c", "d"] {
            tell(&teller, uri);
            assert_eq!(told(quick.next().await), uri);
        }
        assert_eq!(told(slow.next().await), "missed");
        assert_eq!(told(slow.next().await), "c");
        tell(&teller, "e");
        assert_eq!(told(slow.next().await), "d");
        assert_eq!(told(slow.next().await), "e");
    }

    #[tokio::test]
    async fn who_waits_is_woken_by_an_event_and_by_the_end() {
        let teller = Teller::new(2);
        let mut listener = teller.listener();
        let listening = tokio::spawn(async move {
            let heard = [listener.next().await, listener.next().await, listener.next().await];
            heard.map(told)
        });
        tokio::task::yield_now().await;
        tell(&teller, "a");
        tokio::task::yield_now().await;
        tell(&teller, "b");
        drop(teller);
        assert_eq!(listening.await.unwrap(), ["a", "b", "over"]);
    }
}
