//! What a server says of its own accord goes to its log.

use codewhale_mcp_client::{Event, Events, Ignored, Observer};
use codewhale_mcp_protocol::Json;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::logs::{Log, Voice};

/// How many events wait for the log; more are lost.
const KEPT: usize = 512;
/// A dropped line of so many bytes was cut.
const KEPT_OF_LINE: usize = 4096;
/// How many characters of a line are shown outside of the log.
const NOISE_SHOWN: usize = 80;

/// The task that writes a connection's events into a log, until it is told that there will be no more.
#[derive(Debug)]
pub(crate) struct Forwarding {
    questions: mpsc::Sender<oneshot::Sender<Option<String>>>,
    task: JoinHandle<Option<String>>,
}

impl Forwarding {
    /// An observer for a connection, and what forwards its events.
    pub(crate) fn begin(log: Log) -> (Observer, Self) {
        let (observer, events) = Observer::new(KEPT);
        let (questions, asked) = mpsc::channel(1);
        (observer, Self { questions, task: tokio::spawn(forward(events, log, asked)) })
    }

    /// The first line so far that is no message.
    pub(crate) async fn noise(&self) -> Option<String> {
        let (question, answer) = oneshot::channel();
        self.questions.send(question).await.ok()?;
        answer.await.ok()?
    }

    /// Waits until everything that has happened is in the log's hands; the first line that was no message.
    pub(crate) async fn finish(self) -> Option<String> {
        drop(self.questions);
        self.task.await.ok()?
    }
}

async fn forward(
    mut events: Events,
    log: Log,
    mut asked: mpsc::Receiver<oneshot::Sender<Option<String>>>,
) -> Option<String> {
    let mut noise = None;
    loop {
        let question = tokio::select! {
            event = events.next() => match event {
                Some(event) => {
                    write(&event, &log, &mut noise);
                    continue;
                }
                None => return noise,
            },
            question = asked.recv() => question,
        };
        while let Some(event) = events.ready() {
            write(&event, &log, &mut noise);
        }
        match question {
            // Who asked may have given up.
            Some(question) => drop(question.send(noise.clone())),
            None => return noise,
        }
    }
}

fn write(event: &Event, log: &Log, noise: &mut Option<String>) {
    match event {
        Event::Message(message) => {
            let text = |data: &Json| {
                data.decode::<String>().unwrap_or_else(|_| log.without_secrets(data.as_str()).into_owned())
            };
            let data = message.data.as_ref().map(text).unwrap_or_default();
            let text = match &message.logger {
                Some(logger) => format!("[{logger}] {data}"),
                None => data,
            };
            log.say(Voice::Message(message.level.clone()), &text);
        }
        Event::Dropped { line, reason } => {
            let more = if line.len() >= KEPT_OF_LINE { "…" } else { "" };
            log.say(Voice::Stdout, &[line, more].concat());
            if let (None, Ignored::NotAMessage(_)) = (&noise, reason) {
                *noise = Some(log.safe(line).chars().take(NOISE_SHOWN).collect());
            }
        }
        Event::PeerError(error) => {
            log.say(
                Voice::Codewhale,
                &format!("the server reports an error: {}", log.safe(&error.to_string())),
            );
        }
        _ => {}
    }
}
