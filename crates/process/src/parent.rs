//! Whether whoever started us is still there.

/// Waits until the process that started this one has ended; for ever where the system does not tell.
///
/// A parent that ended before this was called is not noticed.
///
/// # Panics
/// Outside a tokio runtime that drives I/O and time.
pub async fn parent_left() {
    #[cfg(unix)]
    if let Some(parent) = rustix::process::getppid() {
        return left(parent).await;
    }
    std::future::pending().await
}

#[cfg(unix)]
async fn left(parent: rustix::process::Pid) {
    #[cfg(target_os = "linux")]
    if let Ok(parent) = rustix::process::pidfd_open(parent, rustix::process::PidfdFlags::empty())
        && let Ok(parent) = readable(parent)
    {
        // An error means that the runtime ends, and everything with it.
        let _ = parent.readable().await;
        return;
    }
    // Whoever loses a parent is given another one. There is no event for that.
    while rustix::process::getppid() == Some(parent) {
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    }
}

#[cfg(target_os = "linux")]
#[expect(
    deprecated,
    reason = "its successor is unsafe for descriptors that can change; ours is owned and does not"
)]
fn readable(fd: std::os::fd::OwnedFd) -> std::io::Result<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>> {
    tokio::io::unix::AsyncFd::with_interest(fd, tokio::io::Interest::READABLE)
}
