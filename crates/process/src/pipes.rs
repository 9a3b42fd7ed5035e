//! The three streams between us and a child, in a native and in a portable make.

use std::io;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(unix)]
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use crate::stderr::Source;

/// How the streams are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Pipes {
    /// Pipes of the system, written and read without waiting by whoever has something to say.
    #[cfg(unix)]
    #[default]
    Native,
    /// What works everywhere: opaque streams.
    #[cfg_attr(not(unix), default)]
    Portable,
}

/// The writing end of a child's standard input. Dropping it closes the child's standard input.
#[non_exhaustive]
pub enum Stdin {
    /// A pipe that takes bytes without waiting.
    #[cfg(unix)]
    Pipe(Sender),
    /// Anything else.
    Stream(Box<dyn AsyncWrite + Send + Unpin>),
}

/// The reading end of a child's standard output.
#[non_exhaustive]
pub enum Stdout {
    /// A pipe that is read without waiting.
    #[cfg(unix)]
    Pipe(Receiver),
    /// Anything else.
    Stream(Box<dyn AsyncRead + Send + Unpin>),
}

/// Our ends of the three streams.
pub(crate) struct Ends {
    pub(crate) stdin: Stdin,
    pub(crate) stdout: Stdout,
    pub(crate) stderr: Source,
}

/// Streams laid into a command that has not been started yet.
pub(crate) enum Laid {
    #[cfg(unix)]
    Native(Ends),
    Portable,
}

impl Laid {
    /// Gives `command` its ends of new streams.
    ///
    /// The child's ends stay blocking, as programs expect; ours alone are made non-blocking.
    pub(crate) fn into(pipes: Pipes, command: &mut Command) -> io::Result<Self> {
        match pipes {
            #[cfg(unix)]
            Pipes::Native => {
                let (stdin, to_child) = io::pipe()?;
                let (from_child, stdout) = io::pipe()?;
                let (errors, stderr) = io::pipe()?;
                let ends = Ends {
                    stdin: Stdin::Pipe(Sender::from_owned_fd_unchecked(not_waiting(to_child)?)?),
                    stdout: Stdout::Pipe(Receiver::from_owned_fd_unchecked(not_waiting(from_child)?)?),
                    stderr: Source::Pipe(Receiver::from_owned_fd_unchecked(not_waiting(errors)?)?),
                };
                command.stdin(stdin).stdout(stdout).stderr(stderr);
                Ok(Self::Native(ends))
            }
            Pipes::Portable => {
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                Ok(Self::Portable)
            }
        }
    }

    /// Our ends, once the command has become `child`.
    pub(crate) fn ends(self, child: &mut Child) -> io::Result<Ends> {
        match self {
            #[cfg(unix)]
            Self::Native(ends) => Ok(ends),
            Self::Portable => {
                let stdin = child.stdin.take().expect("piped a few lines above");
                let stdout = child.stdout.take().expect("piped a few lines above");
                let stderr = child.stderr.take().expect("piped a few lines above");
                Ok(Ends {
                    stdin: Stdin::Stream(Box::new(ChildStdin::from_std(stdin)?)),
                    stdout: Stdout::Stream(Box::new(ChildStdout::from_std(stdout)?)),
                    stderr: Source::Stream(Box::new(ChildStderr::from_std(stderr)?)),
                })
            }
        }
    }
}

/// An end that answers at once. It was made here, so it need not be looked at first: that saves two system calls of
/// three.
#[cfg(unix)]
fn not_waiting(end: impl Into<OwnedFd>) -> io::Result<OwnedFd> {
    let end = end.into();
    rustix::io::ioctl_fionbio(&end, true)?;
    Ok(end)
}
