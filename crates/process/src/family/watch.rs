//! Waits for a child to leave without reaping it, and without a thread.

use std::io;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
#[cfg(target_os = "linux")]
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A source of wake-ups for one child.
pub(crate) enum Watch {
    /// Becomes readable once, when the child has left.
    #[cfg(target_os = "linux")]
    Pidfd(AsyncFd<OwnedFd>),
    /// `SIGCHLD`, for whichever child.
    Signals(Signal),
}

impl Watch {
    /// Watches the child `pid` by the best means that works here.
    pub(crate) fn new(pid: Pid) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        #[expect(
            deprecated,
            reason = "its successor is unsafe for descriptors that can change; ours is owned and does not"
        )]
        {
            use rustix::process::{PidfdFlags, pidfd_open};
            // An old kernel, a sandbox or a lack of descriptors may refuse it.
            if let Ok(fd) = pidfd_open(pid, PidfdFlags::empty())
                && let Ok(fd) = AsyncFd::with_interest(fd, tokio::io::Interest::READABLE)
            {
                return Ok(Self::Pidfd(fd));
            }
        }
        let _ = pid;
        Self::by_signals()
    }

    /// Watches by `SIGCHLD`.
    fn by_signals() -> io::Result<Self> {
        Ok(Self::Signals(signal(SignalKind::child())?))
    }

    /// Waits until `pid` has left. May be dropped at any await and called again.
    pub(crate) async fn left(&mut self, pid: Pid) {
        match self {
            #[cfg(target_os = "linux")]
            Self::Pidfd(fd) => {
                while let Ok(mut ready) = fd.readable().await {
                    if has_left(pid) {
                        return;
                    }
                    ready.clear_ready();
                }
            }
            Self::Signals(signals) => {
                while !has_left(pid) {
                    signals.recv().await;
                }
            }
        }
    }
}

/// Whether the child has left; one that is not ours (any more) has.
fn has_left(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    loop {
        match waitid(WaitId::Pid(pid), options) {
            Ok(status) => return status.is_some(),
            Err(Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}

/// Reaps `pid` as soon as it has left, on a thread that lives until then: for a child that was told to leave and
/// that no task can wait for any more. `before` runs when it has left and is not yet reaped.
pub(crate) fn reap_when_gone(pid: Pid, before: impl FnOnce() + Send + 'static) {
    let wait = move || {
        while matches!(
            waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT),
            Err(Errno::INTR)
        ) {}
        before();
        while matches!(waitid(WaitId::Pid(pid), WaitIdOptions::EXITED), Err(Errno::INTR)) {}
    };
    // Without a thread it stays a zombie until this process ends, which harms nobody.
    let _ = std::thread::Builder::new().name("reaper".to_owned()).spawn(wait);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of watching, on a child that leaves when its standard input closes.
    #[tokio::test]
    async fn a_leaving_child_is_seen_and_left_unreaped() {
        for pidfd in [true, false] {
            let launch = crate::Launch {
                args: vec!["-c".into(), "read x; exit 7".into()],
                ..crate::Launch::new("sh")
            };
            let mut command = crate::spawn::command(&launch, "/bin/sh".as_ref());
            let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
            let pid = Pid::from_child(&child);
            let mut watch = if pidfd { Watch::new(pid).unwrap() } else { Watch::by_signals().unwrap() };
            assert!(!has_left(pid));
            drop(child.stdin.take());
            watch.left(pid).await;
            watch.left(pid).await;
            assert_eq!(child.wait().unwrap().code(), Some(7), "still there to be reaped");
        }
    }
}
