//! Who is woken when something happens on a connection.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Wake, Waker};

/// Nobody looks at the connection.
const AWAY: u8 = 0;
/// Somebody does.
const LOOKS: u8 = 1;
/// Somebody does, and something happened since they began.
const HAPPENED: u8 = 2;

/// Wakes whoever waits for a connection. Who looks at it just then is not woken, but told at the end of the look:
/// most of what happens on a connection is the doing of whoever looks.
#[derive(Debug, Default)]
pub(super) struct Turn {
    state: AtomicU8,
    waits: Mutex<Option<Waker>>,
}

impl Turn {
    /// From now on this one is woken.
    pub(super) fn wakes(&self, waker: &Waker) {
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *waits {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
    }

    /// A look begins. There is one at a time.
    pub(super) fn begin(&self) {
        self.state.store(LOOKS, Ordering::SeqCst);
    }

    /// The look ends; whether something happened meanwhile.
    pub(super) fn end(&self) -> bool {
        self.state.swap(AWAY, Ordering::SeqCst) == HAPPENED
    }
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let noted = |state| (state != AWAY).then_some(HAPPENED);
        if self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, noted).is_ok() {
            return;
        }
        let waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(waker) = waits {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn who_looks_is_told_at_the_end_and_who_waits_is_woken() {
        let (turn, woken, other) =
            (Arc::new(Turn::default()), Arc::<Woken>::default(), Arc::<Woken>::default());
        let waker = Waker::from(Arc::clone(&turn));
        waker.wake_by_ref();
        turn.wakes(&Arc::clone(&woken).into());
        turn.begin();
        assert!(!turn.end());
        turn.begin();
        waker.wake_by_ref();
        waker.wake_by_ref();
        assert!(turn.end() && !turn.end());
        assert_eq!(woken.0.load(Ordering::SeqCst), 0);
        waker.wake_by_ref();
        turn.wakes(&Arc::clone(&other).into());
        waker.wake();
        assert_eq!((woken.0.load(Ordering::SeqCst), other.0.load(Ordering::SeqCst)), (1, 1));
    }
}
