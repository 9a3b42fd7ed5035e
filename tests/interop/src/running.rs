//! A process that listens on a port until it is stopped.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_transport::stdio::{Guard, Ladder, Launch, StdioConnector};
use codewhale_mcp_transport::{Connector, End, Link, Peer, Way};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// It is far more than any needs.
const LONGEST_START: Duration = Duration::from_secs(60);

/// They all leave on SIGTERM, some of them only after the connections that they have.
const LADDER: Ladder = Ladder { stdin_wait: Duration::ZERO, term_wait: Duration::from_secs(5) };

/// A process that listens on a port of this machine.
pub(crate) struct Running {
    pub(crate) port: u16,
    peer: Arc<dyn Peer>,
}

impl Running {
    /// Starts it and waits until somebody answers at the port.
    pub(crate) async fn start(launch: Launch, port: u16, guard: Guard) -> Result<Self, String> {
        let name = launch.program.to_string_lossy().into_owned();
        let connector = StdioConnector::new(launch, guard).ladder(LADDER);
        let Link::Lines(lines) = connector.open(Way::First).await.map_err(|error| error.to_string())? else {
            unreachable!("a process has lines");
        };
        let mut output = lines.inlet;
        // It must never wait for somebody to read what it prints.
        tokio::task::spawn_local(async move { tokio::io::copy(&mut output, &mut tokio::io::sink()).await });
        let running = Self { port, peer: lines.peer };
        tokio::select! {
            end = running.peer.gone() => Err(format!("{name} has gone: {end:?}{}", running.words())),
            there = timeout(LONGEST_START, running.is_there()) => match there {
                Ok(()) => Ok(running),
                Err(_) => {
                    running.peer.stop().await;
                    Err(format!("{name} does not listen on port {port}{}", running.words()))
                }
            },
        }
    }

    /// Only the port tells.
    async fn is_there(&self) {
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            looks.tick().await;
        }
    }

    /// Stops it with its whole group and says how it ended, if it had not ended before.
    pub(crate) async fn stop(&self) -> Result<End, String> {
        tokio::select! {
            biased;
            end = self.peer.gone() => Err(format!("it had gone: {end:?}{}", self.words())),
            () = std::future::ready(()) => Ok(self.peer.stop().await),
        }
    }

    fn words(&self) -> String {
        match self.peer.last_words() {
            words if words.is_empty() => String::new(),
            words => format!("; its last words: {}", words.join(" | ")),
        }
    }
}
