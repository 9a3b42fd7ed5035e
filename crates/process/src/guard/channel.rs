//! The running guard process and the pipe to it, which is never waited for.

use std::io::{self, PipeWriter, Write};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::family::{Watch, reap_when_gone};
use crate::spawn::{command, refused, resolve};
use crate::watcher::KILL_WAIT;
use crate::{Launch, SPAWN_VARIABLE, SpawnError};

/// More than this is not kept back for a guard that does not read.
const BACKLOG: usize = 64 * 1024;
/// How long a guard may take to do its work: far more than it needs.
const FINISH_WAIT: Duration = Duration::from_secs(5);

/// A guard process that has been started.
pub(super) struct Channel {
    pid: Pid,
    pipe: PipeWriter,
    backlog: Vec<u8>,
}

impl Channel {
    /// Starts the guard process.
    pub(super) fn open(launch: &Launch) -> Result<Self, SpawnError> {
        let resolved = resolve(launch)?;
        let start = || {
            let (orders, pipe) = io::pipe()?;
            rustix::io::ioctl_fionbio(&pipe, true)?;
            let mut command = command(launch, &resolved);
            // Null, so that it holds no stream of ours open; not the environment of one that it would look for.
            command.stdin(orders).stdout(Stdio::null()).stderr(Stdio::null()).env_remove(SPAWN_VARIABLE);
            if launch.cwd.is_none() {
                command.current_dir("/");
            }
            let child = command.spawn()?;
            Ok(Self { pid: Pid::from_child(&child), pipe, backlog: Vec::new() })
        };
        start().map_err(|source| refused(launch, &resolved, source))
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Sends a line, or keeps it back while the pipe is full.
    ///
    /// # Errors
    /// The guard is dead, or has not read for so long that it is as good as dead.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        self.backlog.extend_from_slice(line.as_bytes());
        while !self.backlog.is_empty() {
            match self.pipe.write(&self.backlog) {
                Ok(written) => drop(self.backlog.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && self.backlog.len() <= BACKLOG => {
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Ends the guard without letting it do its work: its groups live on.
    pub(super) fn discard(self) {
        let _ = kill_process(self.pid, Signal::KILL);
        reap_when_gone(self.pid, || {});
    }

    /// Lets the guard do its work and leave by itself.
    pub(super) fn release(self) {
        drop(self.pipe);
        reap_when_gone(self.pid, || {});
    }

    /// Lets the guard do its work and waits until it has left; one that does not leave is ended.
    pub(super) async fn finish(self) {
        drop(self.pipe);
        if let Ok(mut watch) = Watch::new(self.pid)
            && tokio::time::timeout(FINISH_WAIT, watch.left(self.pid)).await.is_err()
        {
            let _ = kill_process(self.pid, Signal::KILL);
            // Whom the system holds fast, nobody can end.
            let _ = tokio::time::timeout(KILL_WAIT, watch.left(self.pid)).await;
        }
        let _ = waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
}
