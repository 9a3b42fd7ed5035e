//! Takes lines without waiting; one thread for all logs of a run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, SystemTime};

use codewhale_mcp_redact::{Redactor, Secret};
use codewhale_mcp_transport::stdio::StderrSink;

use super::append::append;
use super::entry::{Voice, line};
use super::name::file_name;
use super::queue::Queue;

/// The logs of all servers, in one folder. Clones are the same logs.
#[derive(Clone)]
pub struct Logs(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    clock: fn() -> SystemTime,
    queue: Arc<Queue<Job>>,
    thread: OnceLock<()>,
    problem: Arc<OnceLock<String>>,
}

/// The log of one server. Clones are the same log.
///
/// A line never waits and never fails: what comes faster than it can be written is left out, and the log says how much
/// that was.
#[derive(Clone)]
pub struct Log {
    logs: Logs,
    target: Arc<Target>,
}

struct Target {
    path: PathBuf,
    secrets: RwLock<Redactor>,
    left_out: AtomicU64,
}

struct Job {
    target: Arc<Target>,
    moment: SystemTime,
    voice: Voice,
    text: String,
}

impl Target {
    fn secrets(&self) -> RwLockReadGuard<'_, Redactor> {
        self.secrets.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Logs {
    /// The logs in `folder`, which is made when the first line is written.
    #[must_use]
    pub fn new(folder: PathBuf, clock: fn() -> SystemTime) -> Self {
        let (queue, thread, problem) = (Arc::default(), OnceLock::new(), Arc::default());
        Self(Arc::new(Inner { folder, clock, queue, thread, problem }))
    }

    /// The file of a server's log: its name where a file may have it, `%xx` for other bytes. An older part may stand
    /// beside it, in the same name with `.1`.
    #[must_use]
    pub fn path(&self, server: &str) -> PathBuf {
        self.0.folder.join(file_name(server))
    }

    /// The log of a server, without the secrets given.
    #[must_use]
    pub fn log(&self, server: &str, secrets: Redactor) -> Log {
        let secrets = RwLock::new(secrets);
        let target = Target { path: self.path(server), secrets, left_out: AtomicU64::new(0) };
        Log { logs: self.clone(), target: Arc::new(target) }
    }

    /// Waits until everything that was said is written, at most for `limit`. Blocks.
    pub fn flush(&self, limit: Duration) {
        if self.0.thread.get().is_some() {
            self.0.queue.wait_idle(limit);
        }
    }

    /// The first thing that kept a line from being written, if any.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.0.problem.get().map(String::as_str)
    }

    fn say(&self, job: Job) {
        self.0.thread.get_or_init(|| {
            let (queue, problem) = (self.0.queue.clone(), self.0.problem.clone());
            let started =
                std::thread::Builder::new().name("logs".into()).spawn(move || write(&queue, &problem));
            if let Err(error) = started {
                let _ = self.0.problem.set(error.to_string());
                self.0.queue.close();
            }
        });
        let target = job.target.clone();
        if !self.0.queue.push(job) {
            target.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl fmt::Debug for Logs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logs").field("folder", &self.0.folder).finish_non_exhaustive()
    }
}

impl Log {
    /// Adds a line. What is said as [`Voice::Codewhale`] is our own: words of others in it are made safe by the caller.
    pub fn say(&self, voice: Voice, text: &str) {
        let text = super::entry::cut(text, super::entry::LONGEST);
        let (target, moment) = (self.target.clone(), (self.logs.0.clock)());
        self.logs.say(Job { target, moment, voice, text });
    }

    /// Hides a secret that came up after the log was opened.
    pub(crate) fn hide(&self, secret: &Secret<String>) {
        self.target.secrets.write().unwrap_or_else(PoisonError::into_inner).insert(secret);
    }

    /// A line of the server as it may be shown: known secrets hidden, control characters visible.
    #[must_use]
    pub fn safe(&self, text: &str) -> String {
        super::entry::safe(text, &self.target.secrets())
    }

    /// A JSON text of the server without known secrets in its strings, however they are written there.
    #[must_use]
    pub(crate) fn without_secrets<'t>(&self, json: &'t str) -> Cow<'t, str> {
        self.target.secrets().apply_json(json)
    }
}

impl StderrSink for Log {
    fn line(&self, line: &str) {
        self.say(Voice::Stderr, line);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("path", &self.target.path).finish_non_exhaustive()
    }
}

/// Writes until the queue is closed and empty.
fn write(queue: &Queue<Job>, problem: &OnceLock<String>) {
    while let Some(jobs) = queue.take() {
        let mut batches: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        for Job { target, moment, voice, text } in jobs {
            let batch = batches.entry(target.path.clone()).or_default();
            batch.extend_from_slice(line(moment, &voice, &text, &target.secrets()).as_bytes());
            let left_out = target.left_out.swap(0, Ordering::Relaxed);
            if left_out > 0 {
                let note = match left_out {
                    1 => "1 line came too fast and was left out".to_owned(),
                    many => format!("{many} lines came too fast and were left out"),
                };
                batch.extend_from_slice(line(moment, &Voice::Codewhale, &note, &target.secrets()).as_bytes());
            }
        }
        for (path, lines) in batches {
            if let Err(error) = append(&path, &lines) {
                let _ = problem.set(format!("cannot write `{}`: {error}", path.display()));
            }
        }
    }
}
