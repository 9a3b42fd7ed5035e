//! A connection over the process's own standard input and output.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::outbox::Direct;
use super::threads::serve;
use crate::Server;

/// What a pipe takes without waiting when it says that it takes anything (POSIX, `PIPE_BUF` on Linux).
const AT_ONCE: usize = 4096;
/// More than this is left to the thread that may wait.
const DIRECTLY: usize = 16 * AT_ONCE;

/// Serves the client at the other end of standard input and output, until it closes them: the way a host runs a server.
/// See [`serve_blocking`](crate::serve_blocking) for how it ends.
///
/// Nothing else may write to standard output meanwhile.
///
/// # Errors
/// When the input breaks off, or what is needed cannot be had from the system.
pub async fn serve_stdio(server: &Server) -> io::Result<()> {
    // Files of our own have no buffers in between. They stay as they are: others may share them with us.
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let (also_input, also_output) = (input.try_clone()?, output.try_clone()?);
    let direct = Box::new(Pipe(also_output));
    serve(server, input, output, Some(direct), move || is(&also_input, PollFlags::HUP)).await
}

struct Pipe(File);

impl Direct for Pipe {
    fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > DIRECTLY || !is(&self.0, PollFlags::OUT) {
            return Ok(0);
        }
        match (&self.0).write(&bytes[..bytes.len().min(AT_ONCE)]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            written => written,
        }
    }
}

/// Whether a file is so, now.
fn is(file: &File, flags: PollFlags) -> bool {
    let mut asked = [PollFd::new(file, flags)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&at_once)).is_ok_and(|ready| ready > 0) && asked[0].revents().contains(flags)
}
