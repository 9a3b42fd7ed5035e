//! One task.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use codewhale_mcp_protocol::{ErrorObject, InputResponses, Json, Request, Task, TaskStatus};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::clock::now;
use crate::context::Control;
use crate::subscriptions::Hub;

/// One task.
pub(crate) struct Entry {
    id: String,
    /// Whose it is.
    pub(super) principal: Option<Arc<str>>,
    pub(super) until: Instant,
    lifetime: Duration,
    poll_interval: Duration,
    created: String,
    hub: Arc<Hub>,
    /// Whether its work is still wanted.
    pub(super) control: Control,
    state: Mutex<State>,
}

struct State {
    status: TaskStatus,
    updated: String,
    outcome: Option<Result<Json, ErrorObject>>,
    questions: Vec<Question>,
}

struct Question {
    key: String,
    request: Request,
    answer: oneshot::Sender<Json>,
}

impl Entry {
    pub(super) fn new(
        id: String,
        principal: Option<Arc<str>>,
        lifetime: Duration,
        poll_interval: Duration,
        hub: Arc<Hub>,
    ) -> Self {
        let created = now();
        let state = State {
            status: TaskStatus::Working,
            updated: created.clone(),
            outcome: None,
            questions: Vec::new(),
        };
        let until = Instant::now() + lifetime;
        let state = Mutex::new(state);
        Self {
            id,
            principal,
            until,
            lifetime,
            poll_interval,
            created,
            hub,
            control: Control::default(),
            state,
        }
    }

    /// How it stands.
    pub(crate) fn task(&self) -> Task {
        self.of(&self.state())
    }

    fn of(&self, state: &State) -> Task {
        let milliseconds = |time: Duration| Json::encode(&(time.as_millis() as u64)).ok();
        let questions = state.questions.iter().map(|open| (open.key.clone(), open.request.clone()));
        let outcome = state.outcome.as_ref();
        Task {
            task_id: self.id.clone(),
            status: state.status.clone(),
            created_at: Some(self.created.clone()),
            last_updated_at: Some(state.updated.clone()),
            ttl_ms: milliseconds(self.lifetime),
            poll_interval_ms: milliseconds(self.poll_interval),
            result: outcome.and_then(|outcome| outcome.as_ref().ok()).cloned(),
            error: outcome.and_then(|outcome| outcome.as_ref().err()).cloned(),
            input_requests: (!state.questions.is_empty()).then(|| questions.collect()),
            ..Task::default()
        }
    }

    /// It asks, and waits for the answer; `None` when it ends without one.
    pub(crate) async fn ask(&self, key: &str, request: Request) -> Option<Json> {
        let (answer, receiver) = oneshot::channel();
        self.change(|state| {
            state.questions.push(Question { key: key.to_owned(), request, answer });
            state.status = TaskStatus::InputRequired;
        });
        receiver.await.ok()
    }

    /// The client answers, not necessarily everything. What was not asked is ignored.
    pub(super) fn answered(&self, answers: InputResponses) {
        self.change(|state| {
            for (key, answer) in answers {
                let Some(at) = state.questions.iter().position(|open| *open.key == *key) else { continue };
                // Whoever waited may have left this moment.
                let _ = state.questions.remove(at).answer.send(answer);
            }
            if state.questions.is_empty() {
                state.status = TaskStatus::Working;
            }
        });
    }

    /// Its work came to this.
    pub(super) fn ended(&self, outcome: Result<Json, ErrorObject>) {
        self.change(|state| {
            state.status = if outcome.is_ok() { TaskStatus::Completed } else { TaskStatus::Failed };
            state.outcome = Some(outcome);
            state.questions.clear();
        });
    }

    /// It is not wanted any more.
    pub(super) fn cancel(&self) {
        self.change(|state| {
            state.status = TaskStatus::Cancelled;
            state.questions.clear();
        });
        self.control.cancel();
    }

    /// Changes it, unless it has ended, and tells whoever wants to hear it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let task = {
            let mut state = self.state();
            if state.status.is_terminal() {
                return;
            }
            change(&mut state);
            state.updated = now();
            self.of(&state)
        };
        self.hub.task(&task);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
