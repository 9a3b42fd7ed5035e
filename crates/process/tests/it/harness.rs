//! Shell scripts as servers, and waits that end.

use std::ffi::OsString;
use std::future::Future;
use std::time::Duration;

use codewhale_mcp_process::{Exit, Launch, Pipes, Setup, Spawned, Stdin, Stdout, spawn};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

/// Every way of making the streams.
pub(crate) const PIPES: [Pipes; 2] = [Pipes::Native, Pipes::Portable];
/// Where the shell and its tools are.
pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Far more than anything here takes.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

pub(crate) async fn soon<T>(wait: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, wait).await.expect("it should have come by now")
}

pub(crate) fn launch(program: impl Into<OsString>, args: &[&str]) -> Launch {
    Launch {
        args: args.iter().map(Into::into).collect(),
        env: vec![("PATH".into(), PATH.into())],
        ..Launch::new(program)
    }
}

pub(crate) fn shell(script: &str) -> Launch {
    launch("sh", &["-c", script])
}

pub(crate) fn with(pipes: Pipes) -> Setup {
    Setup { pipes, ..Setup::default() }
}

/// A running server with plain streams.
pub(crate) struct Server {
    pub(crate) stdin: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    pub(crate) stdout: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    pub(crate) process: codewhale_mcp_process::Process,
}

impl Server {
    pub(crate) fn start(launch: &Launch, setup: &Setup) -> Self {
        Self::from(spawn(launch, setup).unwrap())
    }

    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        soon(self.stdout.read_line(&mut line)).await.unwrap();
        line
    }

    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = String::new();
        soon(self.stdout.read_to_string(&mut rest)).await.unwrap();
        rest
    }

    pub(crate) async fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        soon(stdin.write_all(text.as_bytes())).await.unwrap();
        soon(stdin.flush()).await.unwrap();
    }

    pub(crate) async fn exited(&self) -> Exit {
        soon(self.process.exited()).await
    }

    /// Whether nobody of its group is alive any more.
    pub(crate) fn group_is_empty(&self) -> bool {
        let group = self.process.pid();
        let alive = |process: std::io::Result<std::fs::DirEntry>| {
            let stat = std::fs::read_to_string(process.ok()?.path().join("stat")).ok()?;
            let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            (fields[0] != "Z" && fields[2] == group.to_string()).then_some(())
        };
        match std::fs::read_dir("/proc") {
            Ok(processes) if cfg!(target_os = "linux") => processes.filter_map(alive).count() == 0,
            _ => test_kill_process_group(pid(group)) == Err(Errno::SRCH),
        }
    }
}

impl From<Spawned> for Server {
    fn from(spawned: Spawned) -> Self {
        let stdin: Box<dyn AsyncWrite + Send + Unpin> = match spawned.stdin {
            Stdin::Pipe(pipe) => Box::new(pipe),
            Stdin::Stream(stream) => stream,
            _ => unreachable!(),
        };
        let stdout: Box<dyn AsyncRead + Send + Unpin> = match spawned.stdout {
            Stdout::Pipe(pipe) => Box::new(pipe),
            Stdout::Stream(stream) => stream,
            _ => unreachable!(),
        };
        Self { stdin: Some(stdin), stdout: BufReader::new(stdout), process: spawned.process }
    }
}

pub(crate) fn pid(number: u32) -> Pid {
    Pid::from_raw(number.cast_signed()).unwrap()
}

/// Blocks until a process that need not be our child has ended.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_ended(process: Pid) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{PidfdFlags, pidfd_open};
    let pidfd = match pidfd_open(process, PidfdFlags::empty()) {
        Ok(pidfd) => pidfd,
        Err(error) => return assert_eq!(error, Errno::SRCH),
    };
    let deadline = Timespec { tv_sec: DEADLINE.as_secs().cast_signed(), tv_nsec: 0 };
    let ready = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&deadline)).unwrap();
    assert_eq!(ready, 1, "process {process:?} is still there");
}
