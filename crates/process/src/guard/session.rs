//! Takes the guard out of reach of whatever ends us.

use rustix::process::{getppid, setpgid, setsid};
use tokio::signal::unix::{SignalKind, signal};

use crate::members::group_of;

/// Moves into a session of its own and takes no notice of the requests to leave that reach every process of a name
/// or a terminal.
pub(super) fn stand_apart() {
    ignore_requests();
    if setsid().is_ok() {
        return;
    }
    // A group's leader cannot begin a session. It was started as one so that it was out of reach from its first
    // moment; now it joins its parent's group for the moment between two calls. Without a parent in this session it
    // keeps its group, which is nearly as good.
    if let Some(parents) = getppid().and_then(group_of)
        && setpgid(None, Some(parents)).is_ok()
        && setsid().is_err()
    {
        let _ = setpgid(None, None);
    }
}

/// A signal that has a handler is not fatal. The handlers stay when the runtime that they need to be installed
/// has gone.
fn ignore_requests() {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
    let _inside = runtime.enter();
    for kind in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit(), SignalKind::terminate()] {
        let _ = signal(kind);
    }
}
