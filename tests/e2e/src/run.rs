//! Runs a command to its end, within a deadline, and keeps all it wrote.

use crate::doing::doing;
use std::fmt;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// What a run left behind.
#[derive(Debug, Clone)]
pub struct Run {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// All of stdout, with what is no UTF-8 replaced.
    pub stdout: String,
    /// All of stderr, with what is no UTF-8 replaced.
    pub stderr: String,
    /// From its start to its end.
    pub wall: Duration,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {:?} after {:?}", self.code, self.wall)?;
        write!(f, "\n--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

/// Far beyond what a trial takes; it ends one that would wait for ever.
const DEADLINE: Duration = Duration::from_secs(60);

/// Runs `command` with `stdin` as its input.
///
/// # Panics
///
/// When it cannot be started, does not end within a minute, or ends while something else holds its
/// outputs open.
#[must_use]
pub fn run(mut command: Command, stdin: &str) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begin = Instant::now();
    let mut child = command.spawn().unwrap_or_else(|fault| panic!("{command:?} cannot start: {fault}"));
    let mut input = child.stdin.take().expect("stdin is piped");
    let stdin = stdin.to_owned();
    // A program that ends before it has read everything is no fault of the input.
    std::thread::spawn(move || input.write_all(stdin.as_bytes()).ok());
    let stdout = reader(child.stdout.take().expect("stdout is piped"));
    let stderr = reader(child.stderr.take().expect("stderr is piped"));
    let pid = child.id();
    let status = waiter(child).recv_timeout(DEADLINE);
    let wall = begin.elapsed();
    let Ok(status) = status else {
        let doing = doing(pid);
        end(pid);
        let said = |output: Receiver<Vec<u8>>| {
            String::from_utf8_lossy(&output.recv_timeout(Duration::from_secs(5)).unwrap_or_default())
                .into_owned()
        };
        panic!("{command:?} did not end\n{doing}--- stdout\n{}--- stderr\n{}", said(stdout), said(stderr));
    };
    let text = |output: Receiver<Vec<u8>>, name: &str| {
        let bytes = output.recv_timeout(DEADLINE);
        let bytes = bytes.unwrap_or_else(|_| panic!("{command:?} has ended but its {name} is still open"));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Run { code: status.code(), stdout: text(stdout, "stdout"), stderr: text(stderr, "stderr"), wall }
}

fn reader(mut output: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before a failed read is still worth showing.
        let _ = output.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

fn waiter(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        if let Ok(status) = child.wait() {
            let _ = sender.send(status);
        }
    });
    receiver
}

/// Ends a process that the waiter has not reaped yet.
pub(crate) fn end(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // One that is gone already needs no signal.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}
