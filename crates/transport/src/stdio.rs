//! A server that is a child process (MCP 2026-07-28, basic/transports/stdio).

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_process::{Exit, Process, Setup, Stdin, Stdout, spawn};
pub use codewhale_mcp_process::{Guard, Ladder, Launch, Pipes, SpawnError, StderrSink, guard};

#[cfg(unix)]
use crate::inlet::Widening;
use crate::{Connector, End, Lines, Link, OpenError, Outlet, Peer, Way};

/// Starts the same program for every link.
#[derive(Debug, Clone)]
pub struct StdioConnector {
    launch: Launch,
    setup: Setup,
    ladder: Ladder,
}

impl StdioConnector {
    /// A connector for one program. `guard` ends what it starts if this program is killed.
    #[must_use]
    pub fn new(launch: Launch, guard: Guard) -> Self {
        Self { launch, setup: Setup { guard, ..Setup::default() }, ladder: Ladder::default() }
    }

    /// With other waits when a process is stopped.
    #[must_use]
    pub fn ladder(mut self, ladder: Ladder) -> Self {
        self.ladder = ladder;
        self
    }

    /// With somebody who sees every line of standard error.
    #[must_use]
    pub fn stderr(mut self, sink: Arc<dyn StderrSink>) -> Self {
        self.setup.stderr = Some(sink);
        self
    }

    /// With streams that are made in another way.
    #[must_use]
    pub fn pipes(mut self, pipes: Pipes) -> Self {
        self.setup.pipes = pipes;
        self
    }
}

#[async_trait]
impl Connector for StdioConnector {
    async fn open(&self, _way: Way) -> Result<Link, OpenError> {
        let spawned = spawn(&self.launch, &self.setup)?;
        let outlet = match spawned.stdin {
            #[cfg(unix)]
            Stdin::Pipe(pipe) => Outlet::Pipe(pipe),
            Stdin::Stream(stream) => Outlet::Stream(stream),
            _ => unreachable!("every kind of stream was asked for above"),
        };
        let inlet: Box<dyn tokio::io::AsyncRead + Send + Unpin> = match spawned.stdout {
            #[cfg(unix)]
            Stdout::Pipe(pipe) => Box::new(Widening::new(pipe)),
            Stdout::Stream(stream) => stream,
            _ => unreachable!("every kind of stream was asked for above"),
        };
        let peer = Arc::new(ProcessPeer { process: spawned.process, ladder: self.ladder });
        Ok(Link::Lines(Lines { outlet, inlet, peer }))
    }
}

#[derive(Debug)]
struct ProcessPeer {
    process: Process,
    ladder: Ladder,
}

#[async_trait]
impl Peer for ProcessPeer {
    async fn gone(&self) -> End {
        end(self.process.exited().await)
    }

    async fn stop(&self) -> End {
        end(self.process.stop(self.ladder).await)
    }

    fn last_words(&self) -> Vec<String> {
        self.process.last_lines()
    }
}

fn end(exit: Exit) -> End {
    match exit {
        Exit::Exited(code) => End::Exited(code),
        Exit::Signaled(signal) => End::Signaled(signal),
        Exit::Unknown(why) => End::Unknown(why.to_owned()),
        other => End::Unknown(other.to_string()),
    }
}
