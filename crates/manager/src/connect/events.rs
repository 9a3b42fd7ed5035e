//! What a server says of its own accord goes to its log.

use codewhale_mcp_client::{Event, Events, Observer};
use codewhale_mcp_protocol::Json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::logs::{Log, Voice};

/// How many events wait for the log; more are lost.
const KEPT: usize = 512;

/// The task that writes a connection's events into a log, until it is told that there will be no more.
#[derive(Debug)]
pub(crate) struct Forwarding {
    over: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Forwarding {
    /// An observer for a connection, and what forwards its events.
    pub(crate) fn begin(log: Log) -> (Observer, Self) {
        let (observer, events) = Observer::new(KEPT);
        let (over, told) = oneshot::channel();
        (observer, Self { over, task: tokio::spawn(forward(events, log, told)) })
    }

    /// Waits until everything that has happened is in the log's hands.
    pub(crate) async fn finish(self) {
        // A task that has ended already hears nothing, and that is fine.
        let _ = self.over.send(());
        let _ = self.task.await;
    }
}

async fn forward(mut events: Events, log: Log, mut told: oneshot::Receiver<()>) {
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            _ = &mut told => break,
        };
        match event {
            Some(event) => write(&event, &log),
            None => return,
        }
    }
    while let Some(event) = events.ready() {
        write(&event, &log);
    }
}

fn write(event: &Event, log: &Log) {
    match event {
        Event::Message(message) => {
            let text = |data: &Json| data.decode::<String>().unwrap_or_else(|_| data.as_str().to_owned());
            let data = message.data.as_ref().map(text).unwrap_or_default();
            let text = match &message.logger {
                Some(logger) => format!("[{logger}] {data}"),
                None => data,
            };
            log.say(Voice::Message(message.level.clone()), &text);
        }
        Event::Dropped { line, .. } => log.say(Voice::Stdout, line),
        Event::PeerError(error) => {
            log.say(Voice::Codewhale, &format!("the server reports an error: {error}"))
        }
        _ => {}
    }
}
