//! What has to be stopped at the end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use codewhale_mcp_client::Client;
use codewhale_mcp_transport::{End, Peer};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::logs::{Log, Voice};

/// How long those who connect may take to notice that they should not.
const NOTICE: Duration = Duration::from_secs(1);

/// How long a connection that was dropped may take to close by itself.
const GOODBYE: Duration = Duration::from_secs(3);

/// Every server that was started and may still run.
#[derive(Debug, Default)]
pub(crate) struct Running {
    entries: Mutex<Entries>,
    /// How many attempts have not settled.
    attempts: watch::Sender<usize>,
    stopping: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Entries {
    next: u64,
    by_number: BTreeMap<u64, Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    peers: Vec<Arc<dyn Peer>>,
    client: Option<Client>,
    /// Where its end is told, as long as nobody has told of it.
    log: Option<Log>,
}

/// A server's place among those that run. Dropped, its connection is no longer held, but its processes are still waited
/// for at the end.
#[derive(Debug)]
pub(crate) struct Lease {
    number: u64,
    running: Arc<Running>,
}

/// An attempt that has not settled.
#[derive(Debug)]
pub(crate) struct Unsettled(Arc<Running>);

impl Running {
    /// A place for a server whose end is to be told in `log`.
    pub(crate) fn lease(self: &Arc<Self>, log: Log) -> Lease {
        let mut entries = self.lock();
        let number = entries.next;
        entries.next += 1;
        entries.by_number.insert(number, Entry { log: Some(log), ..Entry::default() });
        Lease { number, running: self.clone() }
    }

    pub(crate) fn unsettled(self: &Arc<Self>) -> Unsettled {
        self.attempts.send_modify(|count| *count += 1);
        Unsettled(self.clone())
    }

    /// Comes true when everything is to stop.
    pub(crate) async fn stopping(&self) {
        // The sender lives as long as this does.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Stops everything, waits until it is gone and tells the logs of those that somebody still wanted.
    pub(crate) async fn stop(&self) {
        self.stopping.send_replace(true);
        let _ = timeout(NOTICE, self.attempts.subscribe().wait_for(|count| *count == 0)).await;
        let entries = std::mem::take(&mut self.lock().by_number);
        let mut stops = JoinSet::new();
        for Entry { peers, client, log } in entries.into_values() {
            stops.spawn(async move {
                let mut end = None;
                match client {
                    Some(client) => end = Some(client.close().await),
                    None => leave(&peers).await,
                }
                for peer in peers {
                    end = Some(peer.stop().await);
                }
                if let (Some(log), Some(end)) = (log, end) {
                    let end = told_end(&end);
                    log.say(Voice::Codewhale, &format!("stopped at the end of the run: {end}"));
                }
            });
        }
        while stops.join_next().await.is_some() {}
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, number: u64, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.lock().by_number.get_mut(&number) {
            change(entry);
        }
    }
}

/// How a server that we stopped ended. Of one behind a URL there is no more to say.
pub(crate) fn told_end(end: &End) -> String {
    match end {
        End::Closed => "the connection is closed".to_owned(),
        end => format!("the server {end}"),
    }
}

impl Lease {
    /// A link to this server was opened.
    pub(crate) fn opened(&self, peer: Arc<dyn Peer>) {
        self.running.with(self.number, |entry| entry.peers.push(peer));
    }

    /// This server is connected to.
    pub(crate) fn connected(&self, client: Client) {
        self.running.with(self.number, |entry| entry.client = Some(client));
    }

    /// The log says already how this server ended.
    pub(crate) fn told(&self) {
        self.running.with(self.number, |entry| entry.log = None);
    }

    /// Stops what is at the other end of this server's links, waits until it is gone, and gives up the place.
    pub(crate) async fn left(self) {
        let entry = |entries: &Entries| entries.by_number.get(&self.number).map(|entry| entry.peers.clone());
        let peers = entry(&self.running.lock()).unwrap_or_default();
        for peer in peers {
            peer.stop().await;
        }
        self.over();
    }

    /// Nothing of this server runs any more.
    pub(crate) fn over(self) {
        self.running.lock().by_number.remove(&self.number);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Outside the lock, because the last handle of a client closes it.
        let (mut client, mut peers) = (None, None);
        self.running.with(self.number, |entry| {
            client = entry.client.take();
            peers = Some(entry.peers.clone());
        });
        drop(client);
        // Without a runtime the place is kept, and the end of the run sees to it.
        if let (Some(peers), Ok(runtime)) = (peers, tokio::runtime::Handle::try_current()) {
            let (number, running) = (self.number, self.running.clone());
            runtime.spawn(async move {
                leave(&peers).await;
                running.lock().by_number.remove(&number);
            });
        }
    }
}

/// Waits until what was dropped is gone, and stops what stays.
async fn leave(peers: &[Arc<dyn Peer>]) {
    // A connection that was dropped closes in the background, and may have to say goodbye.
    let gone = async {
        for peer in peers {
            peer.gone().await;
        }
    };
    let _ = timeout(GOODBYE, gone).await;
    for peer in peers {
        peer.stop().await;
    }
}

impl Drop for Unsettled {
    fn drop(&mut self) {
        self.0.attempts.send_modify(|count| *count -= 1);
    }
}
