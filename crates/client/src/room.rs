//! Requests that wait until there is room for them.

use crate::pending::Pending;
use crate::shared::{NotSent, Shared};

/// Submits as soon as there is room.
pub(crate) async fn when_there_is_room(
    shared: &Shared,
    submit: impl Fn() -> Result<Pending, NotSent>,
) -> Result<Pending, NotSent> {
    let _queue = InQueue::join(shared);
    loop {
        let freed = shared.room.notified();
        match submit() {
            Err(NotSent::NoRoom) => freed.await,
            other => return other,
        }
    }
}

/// Counts the requests that wait for room, so that nobody is woken for nothing.
struct InQueue<'a>(&'a Shared);

impl<'a> InQueue<'a> {
    fn join(shared: &'a Shared) -> Self {
        shared.lock().waiting_for_room += 1;
        Self(shared)
    }
}

impl Drop for InQueue<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting_for_room -= 1;
        // Whoever leaves the queue may have taken the sign that was meant for the next one.
        self.0.room.notify_one();
    }
}
