//! One task.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use codewhale_mcp_protocol::{Era, ErrorObject, Json, Request, Task, TaskStatus, code};
use tokio::sync::futures::Notified;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::Times;
use super::clock::now;
use crate::InputError;
use crate::context::Control;
use crate::session::Session;
use crate::subscriptions::{Hub, Listener};

/// One task.
pub(crate) struct Entry {
    id: String,
    /// Whose it is.
    pub(super) principal: Option<Arc<str>>,
    pub(super) until: Instant,
    times: Times,
    created: String,
    teller: Teller,
    /// It is not as it was before.
    changed: Notify,
    /// Whether its work is still wanted.
    pub(super) control: Control,
    state: Mutex<State>,
}

/// Who is told how it stands.
pub(super) enum Teller {
    /// Whoever listens for it (modern).
    Hub(Arc<Hub>),
    /// The session that it was begun in (2025-11-25).
    Session(Weak<Listener>),
}

/// What the work of a task came to.
pub(super) enum Outcome {
    /// A result.
    Result(Json),
    /// A result that says of itself that it is an error.
    ToldError(Json),
    /// An error of the protocol.
    Error(ErrorObject),
}

impl Outcome {
    fn result(&self) -> Option<&Json> {
        match self {
            Self::Result(result) | Self::ToldError(result) => Some(result),
            Self::Error(_) => None,
        }
    }

    fn error(&self) -> Option<&ErrorObject> {
        match self {
            Self::Error(error) => Some(error),
            Self::Result(_) | Self::ToldError(_) => None,
        }
    }
}

struct State {
    status: TaskStatus,
    updated: String,
    outcome: Option<Outcome>,
    questions: Vec<Question>,
}

struct Question {
    key: String,
    request: Request,
    answer: oneshot::Sender<Result<Json, InputError>>,
}

impl Entry {
    pub(super) fn new(id: String, principal: Option<Arc<str>>, times: Times, teller: Teller) -> Self {
        let created = now();
        let state = State {
            status: TaskStatus::Working,
            updated: created.clone(),
            outcome: None,
            questions: Vec::new(),
        };
        Self {
            id,
            principal,
            until: Instant::now() + times.lifetime,
            times,
            created,
            teller,
            changed: Notify::new(),
            control: Control::default(),
            state: Mutex::new(state),
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The era that it was begun in, whose form it has.
    pub(super) fn era(&self) -> Era {
        match self.teller {
            Teller::Hub(_) => Era::Modern,
            Teller::Session(_) => Era::Legacy,
        }
    }

    /// Whether it was begun in this session.
    pub(super) fn is_of(&self, session: &Session) -> bool {
        match &self.teller {
            Teller::Hub(_) => false,
            Teller::Session(listener) => listener.as_ptr() == Arc::as_ptr(session.listener()),
        }
    }

    /// How it stands.
    pub(crate) fn task(&self) -> Task {
        self.of(&self.state())
    }

    fn of(&self, state: &State) -> Task {
        let milliseconds = |time: Duration| Json::encode(&(time.as_millis() as u64)).ok();
        let (lifetime, interval) =
            (milliseconds(self.times.lifetime), milliseconds(self.times.poll_interval));
        let outcome = state.outcome.as_ref();
        let task = Task {
            task_id: self.id.clone(),
            status: state.status.clone(),
            created_at: Some(self.created.clone()),
            last_updated_at: Some(state.updated.clone()),
            ..Task::default()
        };
        if self.era() == Era::Legacy {
            // What is told as an error is one here.
            let failed = matches!(outcome, Some(Outcome::ToldError(_)));
            let message = outcome.and_then(Outcome::error);
            return Task {
                status: if failed { TaskStatus::Failed } else { task.status },
                status_message: message.map(|error| error.message.clone()),
                ttl: lifetime,
                poll_interval: interval,
                ..task
            };
        }
        let questions = questions(state);
        Task {
            ttl_ms: lifetime,
            poll_interval_ms: interval,
            result: outcome.and_then(Outcome::result).cloned(),
            error: outcome.and_then(Outcome::error).cloned(),
            input_requests: (!questions.is_empty()).then(|| questions.into_iter().collect()),
            ..task
        }
    }

    /// Waits until it is not as it was before.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// What it came to, when it has come to its end.
    pub(super) fn outcome(&self) -> Option<Result<Json, ErrorObject>> {
        let state = self.state();
        if !state.status.is_terminal() {
            return None;
        }
        Some(match &state.outcome {
            Some(Outcome::Result(result) | Outcome::ToldError(result)) => Ok(result.clone()),
            Some(Outcome::Error(error)) => Err(error.clone()),
            None => {
                let message = "the task was cancelled".to_owned();
                Err(ErrorObject { code: code::INVALID_PARAMS, message, ..ErrorObject::default() })
            }
        })
    }

    /// What it wants to know, by its keys.
    pub(super) fn questions(&self) -> Vec<(String, Request)> {
        questions(&self.state())
    }

    /// It asks, and waits for the answer.
    pub(crate) async fn ask(&self, key: &str, request: Request) -> Result<Json, InputError> {
        let (answer, receiver) = oneshot::channel();
        self.change(|state| {
            state.questions.push(Question { key: key.to_owned(), request, answer });
            state.status = TaskStatus::InputRequired;
        });
        // Without an answer it has ended.
        receiver.await.unwrap_or(Err(InputError::Gone))
    }

    /// The client answers, not necessarily everything. What was not asked is ignored.
    pub(super) fn answered(&self, answers: impl IntoIterator<Item = (String, Result<Json, InputError>)>) {
        self.change(|state| {
            for (key, answer) in answers {
                let Some(at) = state.questions.iter().position(|open| open.key == key) else { continue };
                // Whoever waited may have left this moment.
                let _ = state.questions.remove(at).answer.send(answer);
            }
            if state.questions.is_empty() {
                state.status = TaskStatus::Working;
            }
        });
    }

    /// Its work came to this.
    pub(super) fn ended(&self, outcome: Outcome) {
        self.change(|state| {
            let failed = matches!(outcome, Outcome::Error(_));
            state.status = if failed { TaskStatus::Failed } else { TaskStatus::Completed };
            state.outcome = Some(outcome);
            state.questions.clear();
        });
    }

    /// It is not wanted any more; whether it had not come to its end.
    pub(super) fn cancel(&self) -> bool {
        let ran = self.change(|state| {
            state.status = TaskStatus::Cancelled;
            state.questions.clear();
        });
        self.control.cancel();
        ran
    }

    /// Changes it, unless it has ended, and tells whoever wants to hear it; whether it had not ended.
    fn change(&self, change: impl FnOnce(&mut State)) -> bool {
        let task = {
            let mut state = self.state();
            if state.status.is_terminal() {
                return false;
            }
            change(&mut state);
            state.updated = now();
            self.of(&state)
        };
        self.changed.notify_waiters();
        match &self.teller {
            Teller::Hub(hub) => hub.task(&task),
            Teller::Session(listener) => {
                if let Some(listener) = listener.upgrade() {
                    listener.own_task(&task);
                }
            }
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn questions(state: &State) -> Vec<(String, Request)> {
    state.questions.iter().map(|open| (open.key.clone(), open.request.clone())).collect()
}
