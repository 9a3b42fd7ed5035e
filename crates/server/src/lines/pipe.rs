//! Standard input and output without buffers in between, where the system says what they take at once.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionread;

use super::outbox::Direct;
use super::threads::serve;
use crate::Server;

/// What a pipe takes without waiting when it says that it takes anything (POSIX, `PIPE_BUF` on Linux).
const AT_ONCE: usize = 4096;
/// More than this is left to the thread that may wait.
const DIRECTLY: usize = 64 << 10;

pub(super) async fn serve_pipes(server: &Server) -> io::Result<()> {
    // Files of our own have no buffers in between. They stay as they are: others may share them with us.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let (also_input, also_output) = (input.try_clone()?, output.try_clone()?);
    let direct = Box::new(Pipe::new(also_output));
    serve(server, input, output, Some(direct), move || is(&also_input, hung_up())).await
}

struct Pipe {
    file: File,
    /// What it takes when it is empty.
    holds: usize,
}

impl Pipe {
    fn new(file: File) -> Self {
        let holds = capacity(&file).unwrap_or(AT_ONCE).clamp(AT_ONCE, DIRECTLY);
        Self { file, holds }
    }

    /// How much leaves without waiting.
    fn takes(&self) -> usize {
        // One write for many answers also wakes the client once for all of them.
        if self.holds > AT_ONCE && ioctl_fionread(&self.file).is_ok_and(|unread| unread == 0) {
            return self.holds;
        }
        if is(&self.file, PollFlags::OUT) { AT_ONCE } else { 0 }
    }
}

impl Direct for Pipe {
    fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > DIRECTLY {
            return Ok(0);
        }
        let takes = self.takes().min(bytes.len());
        if takes == 0 {
            return Ok(0);
        }
        match (&self.file).write(&bytes[..takes]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            written => written,
        }
    }
}

/// How many bytes a pipe holds.
#[cfg(target_os = "linux")]
fn capacity(file: &File) -> Option<usize> {
    rustix::pipe::fcntl_getpipe_size(file).ok()
}

/// Only Linux says how many bytes a pipe holds.
#[cfg(not(target_os = "linux"))]
fn capacity(_: &File) -> Option<usize> {
    None
}

/// What says that nothing more comes: of a socket its other end may be closed in one direction only.
fn hung_up() -> PollFlags {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return PollFlags::HUP | PollFlags::RDHUP;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    PollFlags::HUP
}

/// Whether one of these is so, now.
fn is(file: &File, flags: PollFlags) -> bool {
    let mut asked = [PollFd::new(file, flags)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&at_once)).is_ok_and(|ready| ready > 0) && asked[0].revents().intersects(flags)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_socket_that_is_closed_in_one_direction_has_hung_up() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let input = File::from(OwnedFd::from(ours));
        assert!(!is(&input, hung_up()));
        theirs.shutdown(Shutdown::Write).unwrap();
        assert!(is(&input, hung_up()));
    }
}
