//! A prompt is taken, waits, and ends.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_manager::{FleetEvent, ServerState, ServerStatus};
use tokio::sync::watch;
use tokio::time::Instant;

use super::run::Session;
use super::stage::{Stage, Task};
use crate::turn;
use crate::window::{Event, Outcome, Window};
use crate::wire::{Ending, Init, Prompt, mcp_status};

impl Session {
    /// A prompt came. One that comes while the first one waits lets that one go.
    pub(super) fn prompted(&mut self, prompt: Prompt) {
        self.prompts.push_back(prompt);
        self.cut();
    }

    /// The caller wants the turn to end.
    pub(super) fn interrupt(&mut self) {
        self.cut();
        match std::mem::take(&mut self.stage) {
            Stage::Waiting { prompt, began, .. } => {
                let ending = match self.conversation.lock().prompt(prompt, self.setup.room) {
                    Ok(()) => ending("error_during_execution", Vec::new(), "interrupted", "interrupted"),
                    Err(error) => failed(&error.to_string()),
                };
                self.end_prompt(ending, began);
            }
            stage => self.stage = stage,
        }
        if let Stage::Turning { interrupt, .. } = &self.stage {
            interrupt.send_replace(true);
        }
    }

    /// Takes the next prompt if nothing else is at hand, and lets the first one go when its wait is over.
    pub(super) fn advance(&mut self) {
        if let Stage::Waiting { window, .. } = &self.stage
            && window.is_closed()
            && let Stage::Waiting { prompt, began, .. } = std::mem::take(&mut self.stage)
        {
            self.turn(prompt, began);
        }
        // The first prompt waits for servers and not for whoever reads.
        while self.stage.is_resting()
            && (!self.had_first || self.host.outbox.has_room())
            && let Some(prompt) = self.prompts.pop_front()
        {
            self.take(prompt);
        }
    }

    fn take(&mut self, prompt: Prompt) {
        let began = Instant::now();
        if self.setup.tells_state {
            self.out.message(self.host.messages.session_state("running"));
        }
        self.out.message(self.init());
        if !std::mem::replace(&mut self.had_first, true) {
            // What has happened before is no news.
            while self.events.ready().is_some() {}
            self.tell_troubles();
            let blocking = self.fleet.statuses().into_iter().filter(holds_up).map(|status| status.name);
            let now = self.now();
            if let Some((window, told)) = Window::open(blocking.collect(), self.setup.window, now) {
                self.tell(&told);
                self.stage = Stage::Waiting { prompt, window, began };
                // Somebody has said more already.
                if !self.prompts.is_empty() {
                    self.cut();
                }
                return;
            }
        }
        self.turn(prompt, began);
    }

    /// Lets a prompt go to the model, unless a server stands in its way.
    fn turn(&mut self, prompt: Prompt, began: Instant) {
        if let Some(status) = self.fleet.statuses().into_iter().find(ServerStatus::fails_the_turn) {
            let error = format!("the required {}", status.in_words());
            return self.end_prompt(failed(&error), began);
        }
        let said = self.conversation.lock().prompt(prompt, self.setup.room);
        if let Err(error) = said {
            return self.end_prompt(failed(&error.to_string()), began);
        }
        let (interrupt, receiver) = watch::channel(false);
        let context = Arc::new(self.context());
        let turn = Task(tokio::spawn(turn::take(context, self.conversation.clone(), receiver)));
        self.stage = Stage::Turning { turn, interrupt, began };
    }

    /// A turn is over.
    pub(super) fn ended(&mut self, ended: Result<Ending, String>) {
        let stage = std::mem::take(&mut self.stage);
        let Stage::Turning { began, .. } = &stage else { return };
        let ending = ended.unwrap_or_else(|why| {
            let error = format!("this is a fault of codewhale: the turn broke off: {why}");
            self.conversation.lock().close(&error);
            (self.setup.talk)(&error);
            failed(&error)
        });
        self.end_prompt(ending, *began);
    }

    fn end_prompt(&mut self, ending: Ending, began: Instant) {
        let line = self.host.messages.result(&ending, began.elapsed());
        self.out.result(&ending, line);
        self.last = Some(ending);
        if self.setup.tells_state && self.prompts.is_empty() {
            self.out.message(self.host.messages.session_state("idle"));
        }
    }

    /// Something happened to the servers.
    pub(super) fn server_changed(&mut self, event: Option<FleetEvent>) {
        match event {
            Some(FleetEvent::Changed(status)) => self.server_is(&status),
            Some(FleetEvent::Snapshot(statuses)) => {
                statuses.iter().for_each(|status| self.server_is(status));
            }
            Some(FleetEvent::Removed { server }) => {
                self.settled(&server, Outcome::Failed("it was removed".to_owned()));
            }
            _ => {}
        }
    }

    fn server_is(&mut self, status: &ServerStatus) {
        let outcome = match status.state {
            ServerState::Configured | ServerState::Connecting => return,
            ServerState::Ready | ServerState::Degraded => Outcome::Ready,
            ServerState::Disabled => Outcome::Failed("it was disabled".to_owned()),
            state => Outcome::Failed(match &status.trouble {
                Some(trouble) => trouble.to_string(),
                None => state.as_str().to_owned(),
            }),
        };
        self.settled(&status.name, outcome);
    }

    fn settled(&mut self, server: &str, outcome: Outcome) {
        let now = self.now();
        if let Stage::Waiting { window, .. } = &mut self.stage {
            let told = window.settled(server, outcome, now);
            self.tell(&told);
        }
    }

    /// The time of the first prompt's wait may be up.
    pub(super) fn time_passed(&mut self) {
        let now = self.now();
        if let Stage::Waiting { window, .. } = &mut self.stage {
            let told = window.pass(now);
            self.tell(&told);
        }
    }

    fn cut(&mut self) {
        let now = self.now();
        if let Stage::Waiting { window, .. } = &mut self.stage {
            let told = window.cut(now);
            self.tell(&told);
        }
    }

    fn tell(&self, told: &[Event]) {
        for event in told {
            self.out.window(|| mcp_status(&self.host.messages.stamp, event));
        }
    }

    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    fn init(&self) -> String {
        let context = self.context();
        self.host.messages.init(&Init {
            cwd: self.setup.cwd.display().to_string(),
            tools: turn::names(&context),
            servers: self.told_servers().iter().map(|server| server.short()).collect(),
            model: self.chat.as_ref().ok().map(|chat| chat.model().to_owned()),
            mode: self.mode.as_str(),
        })
    }
}

/// Whether the first prompt waits for a server.
fn holds_up(status: &ServerStatus) -> bool {
    status.eager && matches!(status.state, ServerState::Configured | ServerState::Connecting)
}

fn failed(error: &str) -> Ending {
    ending("error_during_execution", vec![error.to_owned()], error, "error")
}

fn ending(subtype: &'static str, errors: Vec<String>, result: &str, terminal_reason: &'static str) -> Ending {
    Ending {
        subtype,
        errors,
        result: result.to_owned(),
        stop_reason: None,
        terminal_reason,
        turns: 0,
        api: Duration::ZERO,
        usage: Default::default(),
        denials: Vec::new(),
    }
}
