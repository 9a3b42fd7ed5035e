//! A server behind pipes of the system, which callers write to themselves.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_transport::{Connector, End, Lines, Link, OpenError, Outlet, Peer, Way};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::{Receiver, Sender, pipe};
use tokio::time::timeout;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);

/// A server that leaves only when its input closes.
#[derive(Debug)]
struct Patient;

#[async_trait::async_trait]
impl Peer for Patient {
    async fn gone(&self) -> End {
        std::future::pending().await
    }

    async fn stop(&self) -> End {
        std::future::pending().await
    }

    fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Opens one link over these pipes.
struct Pipes(Mutex<Option<(Sender, Receiver)>>);

#[async_trait::async_trait]
impl Connector for Pipes {
    async fn open(&self, _way: Way) -> Result<Link, OpenError> {
        let (outlet, inlet) =
            self.0.lock().expect("nobody panics with it").take().expect("it is opened once");
        let (outlet, inlet) = (Outlet::Pipe(outlet), Box::new(inlet));
        Ok(Link::Lines(Lines { outlet, inlet, peer: Arc::new(Patient) }))
    }
}

#[tokio::test]
async fn a_server_whose_connection_is_given_up_at_once_sees_its_input_close() {
    let ((to_server, mut input), (_output, from_server)) = (pipe().unwrap(), pipe().unwrap());
    let connector = Pipes(Mutex::new(Some((to_server, from_server))));
    tokio::select! {
        biased;
        _ = Client::connect(&connector, Options::default()) => unreachable!("nobody answers"),
        // Before any of the connection's tasks has run.
        () = std::future::ready(()) => {}
    }
    let mut read = Vec::new();
    timeout(LONG, input.read_to_end(&mut read)).await.expect("its input closes").expect("a pipe is read");
}
