//! A run of the binary that somebody ends from outside, and what there is to say of one that does not end.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use codewhale_e2e::{TestEnvironment, doing};
use rustix::process::{Pid, Signal, kill_process};

/// How long a run may take to come to its end, or to a server: far longer than it needs on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A run under way. What it prints goes to a file, so that nobody has to read.
pub(crate) struct Started {
    child: Child,
    printed: PathBuf,
}

impl Started {
    pub(crate) fn new(trial: &TestEnvironment, arguments: &[&str]) -> Self {
        let printed = trial.root().join("printed");
        let file = File::create(&printed).expect("a file of the trial can be made");
        let again = file.try_clone().expect("an open file can be shared");
        let mut command = trial.command(&codewhale_testkit::binary("codewhale"), arguments);
        command.stdin(Stdio::null()).stdout(file).stderr(again);
        Self { child: command.spawn().expect("the binary starts"), printed }
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends it a signal, unless it has ended.
    pub(crate) fn send(&mut self, signal: Signal) {
        // One that has been reaped has lost its number.
        if !self.has_ended() {
            kill_process(self.pid(), signal).expect("it is our child");
        }
    }

    /// Waits for its end. What it does and has printed instead is the error; then it is killed.
    pub(crate) fn end(&mut self) -> Result<ExitStatus, String> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.status() {
                return Ok(status);
            }
            std::thread::park_timeout(Duration::from_millis(1));
        }
        let (does, printed) = (doing(self.child.id()), std::fs::read_to_string(&self.printed));
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
        Err(format!("does not end\n{does}--- printed\n{}---", printed.unwrap_or_default()))
    }

    /// Waits until it has a second child, the first one being its guard, or has ended.
    pub(crate) fn reach_server(&mut self) {
        let begin = Instant::now();
        let place = format!("/proc/{0}/task/{0}/children", self.child.id());
        let children = || std::fs::read_to_string(&place).unwrap_or_default().split_whitespace().count();
        while children() < 2 && !self.has_ended() && begin.elapsed() < PATIENCE {
            std::thread::yield_now();
        }
    }

    fn has_ended(&mut self) -> bool {
        self.status().is_some()
    }

    fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("it is our child")
    }
}
