//! The tool `shell`.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_process::{Exit, Guard, Launch, Reach, Setup, Stdout, spawn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

use super::output::Output;
use super::running::{Held, LADDER, Running};
use crate::Fault;
use crate::workspace::Workspace;

/// Seconds of a command where nothing else is asked for, and the most.
const SECONDS: u64 = 120;
const MOST_SECONDS: u64 = 3600;
/// The longest command.
const COMMAND: usize = 64 * 1024;
/// How long we go on reading what somebody outside of the group may still write.
const LINGER: Duration = Duration::from_millis(100);
/// How often progress is told at most.
const PROGRESS: Duration = Duration::from_millis(100);
/// The longest line of progress.
const LINE: usize = 200;

/// What `shell` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunCommand {
    /// The command, for `sh`; its standard input is empty, and what it leaves running is ended with it
    pub command: String,
    /// The directory to run it in, relative to the workspace; the workspace itself unless given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub directory: Option<String>,
    /// After how many seconds it is ended: 120 unless given, at most 3600
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub timeout_seconds: Option<u64>,
}

/// What `shell` answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Ran {
    /// What it wrote on standard output and standard error, in order; a long text is its beginning and its end
    pub output: String,
    /// Bytes that are left out in the middle
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_bytes: Option<u64>,
    /// Its exit code, if it ended by itself
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Whether it took too long and was ended
    pub timed_out: bool,
    /// How long it took
    pub seconds: f64,
}

/// What a running command has written so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// Bytes in all.
    pub bytes: u64,
    /// The last line with something in it, cut.
    pub last_line: String,
}

/// Runs commands in a workspace. Clones are the same, and end together.
#[derive(Debug, Clone)]
pub struct Shell {
    environment: Arc<[(OsString, OsString)]>,
    guard: Guard,
    running: Arc<Running>,
}

impl Shell {
    /// Commands get this environment and nothing beside it; the guard ends them if this program is killed.
    #[must_use]
    pub fn new(environment: Vec<(OsString, OsString)>, guard: Guard) -> Self {
        Self { environment: environment.into(), guard, running: Arc::default() }
    }

    /// Runs a command until it ends, or its time does. Dropping this ends it, too.
    ///
    /// # Errors
    /// When it cannot be started. That it failed is an answer, no error.
    pub async fn run(
        &self,
        workspace: &Workspace,
        asked: &RunCommand,
        mut heard: impl FnMut(Heard),
    ) -> Result<Ran, Fault> {
        let limit = check(asked)?;
        let directory = workspace.directory(asked.directory.as_deref().unwrap_or("."))?;
        let turn = self.running.begin()?;
        let launch = Launch {
            // The outer one joins the streams, so that what is written stays in order, and the command's own text is
            // read as it stands.
            args: ["-c", r#"exec sh -c "$1" 2>&1"#, "sh", &asked.command].map(OsString::from).into(),
            env: self.environment.to_vec(),
            cwd: Some(workspace.root().join(&directory.path)),
            ..Launch::new("sh")
        };
        let started = Instant::now();
        let setup = Setup { guard: self.guard.clone(), reach: Reach::Marked, ..Setup::default() };
        let spawned = spawn(&launch, &setup)?;
        drop(spawned.stdin);
        let held = Held::new(spawned.process, turn);
        let mut reader = Reader { from: spawned.stdout, output: Output::default(), open: true, told: 0 };

        let (exit, timed_out) = {
            let process = held.process();
            let work = reader.until(process.exited(), &mut heard);
            match timeout(limit, work).await {
                Ok(exit) => (exit, false),
                Err(_) => (reader.until(process.stop(LADDER), &mut heard).await, true),
            }
        };
        // What it left running goes too, and what that still says is part of the output.
        reader.until(held.process().stop(LADDER), &mut heard).await;
        let _ = timeout(LINGER, reader.rest()).await;

        let omitted = reader.output.omitted();
        Ok(Ran {
            output: reader.output.text(),
            omitted_bytes: (omitted > 0).then_some(omitted),
            exit_code: if let Exit::Exited(code) = exit { Some(code) } else { None },
            signal: if let Exit::Signaled(signal) = exit { Some(signal) } else { None },
            timed_out,
            seconds: (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
        })
    }

    /// Starts no more commands, and waits until none is left. Calls that still run have to be dropped first.
    pub async fn end(&self) {
        self.running.end().await;
        self.guard.close().await;
    }
}

fn check(asked: &RunCommand) -> Result<Duration, Fault> {
    if asked.command.trim().is_empty() {
        return Err(Fault::argument("command", "it is empty"));
    }
    if asked.command.len() > COMMAND || asked.command.contains('\0') {
        let reason = format!("it has at most {COMMAND} bytes, none of them NUL");
        return Err(Fault::argument("command", reason));
    }
    match asked.timeout_seconds.unwrap_or(SECONDS) {
        seconds @ 1..=MOST_SECONDS => Ok(Duration::from_secs(seconds)),
        _ => Err(Fault::argument("timeout_seconds", format!("it must be from 1 to {MOST_SECONDS}"))),
    }
}

/// Reads what a command writes, while something else is waited for.
struct Reader {
    from: Stdout,
    output: Output,
    open: bool,
    /// The bytes that were told of; only more than that is news.
    told: u64,
}

impl Reader {
    async fn until<T>(&mut self, end: impl Future<Output = T>, heard: &mut impl FnMut(Heard)) -> T {
        let mut end = std::pin::pin!(end);
        let mut told = None;
        loop {
            tokio::select! {
                // What was written before the end is read first.
                biased;
                () = self.step(), if self.open => {
                    let due = told.is_none_or(|told: Instant| told.elapsed() >= PROGRESS);
                    if due && self.output.bytes > self.told {
                        (told, self.told) = (Some(Instant::now()), self.output.bytes);
                        heard(Heard { bytes: self.output.bytes, last_line: self.output.last_line(LINE) });
                    }
                }
                ended = &mut end => return ended,
            }
        }
    }

    async fn rest(&mut self) {
        while self.open {
            self.step().await;
        }
    }

    async fn step(&mut self) {
        let mut bytes = [0; 8192];
        match read(&mut self.from, &mut bytes).await {
            Ok(0) | Err(_) => self.open = false,
            Ok(count) => self.output.take(&bytes[..count]),
        }
    }
}

async fn read(from: &mut Stdout, into: &mut [u8]) -> io::Result<usize> {
    match from {
        #[cfg(unix)]
        Stdout::Pipe(pipe) => pipe.read(into).await,
        Stdout::Stream(stream) => stream.read(into).await,
        _ => Ok(0),
    }
}
