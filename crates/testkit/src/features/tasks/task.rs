//! One task: how far it is, what it asks, what it comes to.

use super::clock::now;
use crate::features::input::{Question, form_of};
use crate::json::{quote, text_block};

/// What a task's tool does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plot {
    Finishes,
    Asks,
    /// Ends in an error of the protocol.
    Fails,
    /// Ends in a result that is an error.
    Refuses,
    Stuck,
    /// Finishes although it is cancelled.
    Stubborn,
    /// Is forgotten as soon as it is there.
    Lost,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Working => "working",
            Status::InputRequired => "input_required",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Cancelled => "cancelled",
        }
    }

    pub(super) fn is_terminal(self) -> bool {
        matches!(self, Status::Completed | Status::Failed | Status::Cancelled)
    }
}

/// A task of either era.
pub(super) struct Task {
    pub(super) id: String,
    pub(super) plot: Plot,
    pub(super) status: Status,
    pub(super) step: u64,
    steps: u64,
    created: String,
    /// How long it is kept, as raw JSON.
    ttl: String,
    /// Shortest time between two looks, in milliseconds; it changes from step to step.
    poll: u64,
    /// The raw token of its call, which stays good until the end.
    pub(super) token: Option<String>,
    /// Questions without an answer, and those that are answered but still listed.
    pub(super) open: Vec<Question>,
    pub(super) answered: Vec<Question>,
    /// What came back.
    pub(super) said: Vec<String>,
}

impl Task {
    pub(super) fn new(id: String, plot: Plot, steps: u64, ttl: String, poll: u64) -> Task {
        let open = if plot == Plot::Asks { vec![form_of("first"), form_of("second")] } else { vec![] };
        Task {
            id,
            plot,
            status: Status::Working,
            step: 0,
            steps,
            created: now(),
            ttl,
            poll,
            token: None,
            open,
            answered: vec![],
            said: vec![],
        }
    }

    /// One step forward.
    pub(super) fn advance(&mut self) {
        if self.status == Status::InputRequired && self.open.is_empty() && self.answered.is_empty() {
            self.status = Status::Working;
        }
        if self.status != Status::Working {
            return;
        }
        if self.step > 0 && !self.open.is_empty() {
            self.status = Status::InputRequired;
            return;
        }
        self.step += 1;
        if self.step >= self.steps && self.plot != Plot::Stuck {
            self.status = if self.plot == Plot::Fails { Status::Failed } else { Status::Completed };
        }
    }

    /// The members that both eras have, with the names of the modern one or of 2025-11-25.
    pub(super) fn members(&self, status: Status, ttl: &str, poll: &str) -> String {
        format!(
            r#""taskId":{},"status":"{}","statusMessage":"step {} of {}","createdAt":"{}","lastUpdatedAt":"{}","{ttl}":{},"{poll}":{}"#,
            quote(&self.id),
            status.name(),
            self.step,
            self.steps,
            self.created,
            now(),
            self.ttl,
            self.poll * (1 + self.step % 3)
        )
    }

    /// The inside of the result of its call, or the inside of its error.
    pub(super) fn outcome(&self) -> Result<String, String> {
        let content = |text: &str| format!(r#""content":[{}]"#, text_block(text));
        match self.plot {
            Plot::Fails => Err(r#""code":-32603,"message":"the job broke""#.to_owned()),
            _ if self.status == Status::Cancelled => {
                Err(r#""code":-32603,"message":"the task was cancelled""#.to_owned())
            }
            Plot::Refuses => Ok(format!(r#"{},"isError":true"#, content("denied"))),
            Plot::Asks => Ok(content(&self.said.join("\n"))),
            _ => Ok(content(&format!("done after {} steps", self.steps))),
        }
    }
}
