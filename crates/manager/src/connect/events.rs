//! What a server says of its own accord goes to its log.

use codewhale_mcp_client::{Event, Events, Ignored, Observer};
use codewhale_mcp_protocol::Json;
use codewhale_mcp_redact::safe_line;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::report::Oddity;
use crate::logs::{Log, Voice};

/// How many events wait for the log; more are lost.
const KEPT: usize = 512;
/// A dropped line of so many bytes was cut.
const KEPT_OF_LINE: usize = 4096;
/// How many characters of a line are shown outside of the log.
const NOISE_SHOWN: usize = 80;
/// The most oddities that are told outside of the log.
const TOLD: usize = 100;

/// The task that writes a connection's events into a log, until it is told that there will be no more.
#[derive(Debug)]
pub(crate) struct Forwarding {
    questions: mpsc::Sender<oneshot::Sender<Vec<Oddity>>>,
    task: JoinHandle<Vec<Oddity>>,
}

impl Forwarding {
    /// An observer for a connection, and what forwards its events.
    pub(crate) fn begin(log: Log) -> (Observer, Self) {
        let (observer, events) = Observer::new(KEPT);
        let (questions, asked) = mpsc::channel(1);
        (observer, Self { questions, task: tokio::spawn(forward(events, log, asked)) })
    }

    /// What was odd so far: the first line that is no message, and tools that were left out.
    pub(crate) async fn oddities(&self) -> Vec<Oddity> {
        let (question, answer) = oneshot::channel();
        match self.questions.send(question).await {
            Ok(()) => answer.await.unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    /// Waits until everything that has happened is in the log's hands; what was odd.
    pub(crate) async fn finish(self) -> Vec<Oddity> {
        drop(self.questions);
        self.task.await.unwrap_or_default()
    }
}

async fn forward(
    mut events: Events,
    log: Log,
    mut asked: mpsc::Receiver<oneshot::Sender<Vec<Oddity>>>,
) -> Vec<Oddity> {
    let mut odd = Vec::new();
    loop {
        let question = tokio::select! {
            event = events.next() => match event {
                Some(event) => {
                    write(&event, &log, &mut odd);
                    continue;
                }
                None => return odd,
            },
            question = asked.recv() => question,
        };
        while let Some(event) = events.ready() {
            write(&event, &log, &mut odd);
        }
        match question {
            // Who asked may have given up.
            Some(question) => drop(question.send(odd.clone())),
            None => return odd,
        }
    }
}

fn write(event: &Event, log: &Log, odd: &mut Vec<Oddity>) {
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
            let is_told = odd.iter().any(|odd| matches!(odd, Oddity::Noise { .. }));
            if let (false, Ignored::NotAMessage(_)) = (is_told, reason) {
                odd.push(Oddity::Noise { line: log.safe(line).chars().take(NOISE_SHOWN).collect() });
            }
        }
        Event::NotDelivered { fault } => {
            log.say(
                Voice::Codewhale,
                &format!("a message did not reach the server: {}", log.safe(&fault.to_string())),
            );
        }
        Event::ToolLeftOut { name, fault } => {
            let left_out =
                Oddity::LeftOut { tool: safe_line(name).into_owned(), reason: log.safe(&fault.to_string()) };
            log.say(Voice::Codewhale, &left_out.to_string());
            if odd.len() < TOLD && !odd.contains(&left_out) {
                odd.push(left_out);
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
