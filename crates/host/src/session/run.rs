//! The session itself.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read as _};
use std::sync::Arc;

use codewhale_mcp_manager::{Fleet, FleetEvents, Target, ToolScope};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::host::Host;
use super::setup::Setup;
use super::stage::{Stage, turned};
use crate::approval::Mode;
use crate::flags::Input;
use crate::model::{Chat, Conversing, NotConfigured};
use crate::out::Out;
use crate::turn::{Granted, Spill};
use crate::wire::{Ending, Incoming, Line, Lines, Prompt, read_lines};

/// The most prompts that wait.
const MOST_PROMPTS: usize = 1_000;
/// The longest prompt that comes as text, in bytes.
const LONGEST_PROMPT: u64 = 64 << 20;
/// How many bytes are told of why a message was left out, which may quote it.
const QUOTED: usize = 1_000;

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// Why it is over.
    pub how: How,
    /// Why the last prompt has no answer, if it has none.
    pub error: Option<String>,
}

/// Why a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// The input ended, and everything that came in was answered.
    Answered,
    /// The input has no prompt, and one was to be there.
    NoPrompt,
    /// Nobody reads what is said.
    Unread(io::ErrorKind),
}

/// A session that runs.
pub(super) struct Session {
    pub(super) host: Host,
    pub(super) setup: Setup,
    pub(super) fleet: Fleet,
    pub(super) out: Out,
    pub(super) events: FleetEvents,
    pub(super) epoch: Instant,
    pub(super) stage: Stage,
    pub(super) prompts: VecDeque<Prompt>,
    pub(super) had_first: bool,
    pub(super) conversation: Conversing,
    pub(super) chat: Result<Chat, NotConfigured>,
    pub(super) mode: Mode,
    pub(super) granted: Granted,
    pub(super) spill: Spill,
    pub(super) asking: Arc<tokio::sync::Mutex<()>>,
    pub(super) targets: Vec<Target>,
    /// Whether the caller has said that it answers questions.
    pub(super) has_approver: bool,
    pub(super) system_prompt: Option<String>,
    pub(super) append_system_prompt: Option<String>,
    /// Answers to the caller that take their time.
    pub(super) answers: JoinSet<()>,
    pub(super) last: Option<Ending>,
    /// Servers whose trouble was told.
    pub(super) troubled: BTreeSet<String>,
    lines: u64,
    input_ended: bool,
}

impl Host {
    /// Runs a session to its end: until the input has ended and everything that came in was answered. Servers stay as
    /// they are; to stop them is their owner's. Dropping the future gives up what is asked and called.
    ///
    /// # Errors
    /// When there can be no thread that reads, or the one prompt is no text.
    pub async fn run(self, setup: Setup, fleet: Fleet, input: Box<dyn io::Read + Send>) -> io::Result<Ended> {
        let prompt = match (&setup.asked.input, &setup.asked.prompt) {
            (Input::StreamJson, _) => {
                let lines = read_lines(input)?;
                return Ok(Session::new(self, setup, fleet).run(lines).await);
            }
            (Input::Text, Some(prompt)) => prompt.clone(),
            (Input::Text, None) => read_all(input).await?,
        };
        if prompt.trim().is_empty() {
            return Ok(Ended { how: How::NoPrompt, error: None });
        }
        let (_, none) = mpsc::channel(1);
        // Nobody answers what comes in text.
        self.caller.end();
        let mut session = Session::new(self, setup, fleet);
        session.prompts.push_back(Prompt::text(prompt));
        Ok(session.run(Lines::of(none)).await)
    }

    /// The same with lines that somebody else reads, in a process of many sessions or in a test.
    pub async fn run_lines(self, setup: Setup, fleet: Fleet, lines: mpsc::Receiver<Line>) -> Ended {
        Session::new(self, setup, fleet).run(Lines::of(lines)).await
    }
}

async fn read_all(mut input: Box<dyn io::Read + Send>) -> io::Result<String> {
    let read = move || {
        let mut text = String::new();
        input.by_ref().take(LONGEST_PROMPT + 1).read_to_string(&mut text)?;
        match text.len() as u64 > LONGEST_PROMPT {
            true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than 64 MiB")),
            false => Ok(text),
        }
    };
    tokio::task::spawn_blocking(read).await.map_err(io::Error::other)?
}

impl Session {
    fn new(host: Host, setup: Setup, fleet: Fleet) -> Self {
        let model = setup.model.clone().map(|model| model.with_model(setup.asked.model.clone()));
        let chat = model.and_then(|model| Chat::new(model, &setup.way, setup.silence));
        Self {
            out: Out::new(&setup.asked, host.outbox.clone()),
            events: fleet.events(),
            epoch: Instant::now(),
            stage: Stage::Resting,
            prompts: VecDeque::new(),
            had_first: false,
            conversation: Conversing::default(),
            chat,
            mode: setup.asked.mode,
            granted: Granted::default(),
            spill: Spill::new(&setup.results),
            asking: Arc::default(),
            targets: setup.targets.clone(),
            has_approver: setup.asked.asks_caller,
            system_prompt: setup.system_prompt.clone().or_else(|| setup.asked.system_prompt.clone()),
            append_system_prompt: setup.asked.append_system_prompt.clone(),
            answers: JoinSet::new(),
            last: None,
            troubled: BTreeSet::new(),
            lines: 0,
            input_ended: false,
            host,
            setup,
            fleet,
        }
    }

    async fn run(mut self, mut lines: Lines) -> Ended {
        self.start_servers();
        let how = loop {
            self.advance();
            if self.input_ended
                && self.stage.is_resting()
                && self.prompts.is_empty()
                && self.answers.is_empty()
            {
                break How::Answered;
            }
            let deadline = self.stage.deadline().map(|deadline| self.epoch + deadline);
            let outbox = self.host.outbox.clone();
            let waits_for_room = self.stage.is_resting() && !self.prompts.is_empty();
            // What comes in may want an answer.
            let next_line = async {
                outbox.not_crowded().await;
                lines.next().await
            };
            tokio::select! {
                ended = turned(&mut self.stage) => self.ended(ended),
                () = at(deadline) => self.time_passed(),
                event = self.events.next() => {
                    self.server_changed(event);
                    self.tell_troubles();
                }
                Some(_) = self.answers.join_next() => {}
                () = outbox.room(), if waits_for_room => {}
                line = next_line, if !self.input_ended => match line {
                    Some(line) => self.line(line),
                    None => self.end_input(),
                },
                kind = outbox.failed() => break How::Unread(kind),
            }
        };
        self.tell_troubles();
        // The last lines, too, have to arrive.
        let how = self.host.outbox.close().await.map_or(how, How::Unread);
        let error = self.last.take().and_then(|last| last.errors.into_iter().next());
        Ended { how, error }
    }

    /// Servers start: at once those that the first prompt waits for, the rest behind them.
    fn start_servers(&mut self) {
        let always = match self.setup.always_load.is_empty() {
            true => ToolScope::only(Vec::<String>::new()),
            false => ToolScope::only(self.setup.always_load.clone()),
        };
        self.fleet.start_eager(&always);
        if !self.setup.asked.allowed.is_empty() {
            self.fleet.start_named(&self.scope_of(&self.setup.asked.allowed));
        }
        self.start_sdk_servers();
        if !self.setup.lazy {
            self.fleet.start_rest();
        }
    }

    fn end_input(&mut self) {
        self.input_ended = true;
        self.host.caller.end();
    }

    fn line(&mut self, line: Line) {
        self.lines += 1;
        let error = match line {
            Line::Whole(bytes) => match Incoming::read(&bytes) {
                Ok(incoming) => return self.incoming(incoming),
                Err(error) => error.to_string(),
            },
            Line::TooLong => "it is too long".to_owned(),
            Line::Broken(why) => format!("the input cannot be read: {why}"),
        };
        let error = &error[..error.floor_char_boundary(QUOTED)];
        let error = format!("message {} of the input was left out: {error}", self.lines);
        (self.setup.talk)(&error);
        self.out.message(self.host.messages.error(&error));
    }

    fn incoming(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::User(_) if self.prompts.len() >= MOST_PROMPTS => {
                self.left_out(&format!("more than {MOST_PROMPTS} prompts wait"));
            }
            Incoming::User(prompt) if self.has_no_room(&prompt) => {
                self.left_out(&format!(
                    "the prompts that wait would have more than {} bytes",
                    self.setup.room
                ));
            }
            Incoming::User(prompt) => self.prompted(prompt),
            Incoming::Request { id, request } => self.wanted(id, request),
            Incoming::Answer(answer) => self.host.caller.answered(answer),
            Incoming::Nothing => {}
        }
    }

    fn has_no_room(&self, prompt: &Prompt) -> bool {
        let waiting: usize = self.prompts.iter().map(Prompt::bytes).sum();
        waiting > 0 && waiting.saturating_add(prompt.bytes()) > self.setup.room
    }

    fn left_out(&self, why: &str) {
        let error = format!("{why}, so message {} of the input was left out", self.lines);
        (self.setup.talk)(&error);
        self.out.message(self.host.messages.error(&error));
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
