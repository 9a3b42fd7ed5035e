//! All tasks of a server.

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use codewhale_mcp_protocol::{Era, Json, ResultType, Task, code};
use tokio::time::Instant;

use super::entry::{Outcome, Teller};
use super::{Entry, Times};
use crate::context::{Asking, Control, Parts};
use crate::outlet::Outlet;
use crate::secret_id::new_id;
use crate::session::Session;
use crate::subscriptions::Hub;
use crate::{Context, Failure, Handling, Reply};

/// All tasks of a server.
pub(crate) struct Tasks {
    hub: Arc<Hub>,
    limit: usize,
    all: Arc<Mutex<HashMap<String, Arc<Entry>>>>,
}

impl Tasks {
    pub(crate) fn new(hub: Arc<Hub>, limit: usize) -> Self {
        Self { hub, limit, all: Arc::default() }
    }

    /// Makes a task of work that is just beginning.
    pub(crate) fn start(
        &self,
        context: &Context,
        times: Times,
        begin: impl FnOnce(Context) -> Handling,
    ) -> Result<Task, Failure> {
        let parts = context.parts();
        let session = parts.asking.session().cloned();
        let teller = match &session {
            Some(session) => Teller::Session(Arc::downgrade(session.listener())),
            None => Teller::Hub(Arc::clone(&self.hub)),
        };
        let principal = parts.facts.principal().map(Arc::from);
        let entry = Arc::new(Entry::new(new_id(), principal, times, teller));
        let task = entry.task();
        {
            let mut all = self.all();
            purge(&mut all);
            if all.len() >= self.limit {
                return Err(Failure::protocol(code::INTERNAL_ERROR, "there are too many tasks"));
            }
            all.insert(task.task_id.clone(), Arc::clone(&entry));
        }
        let context = Context::new(Parts {
            server: parts.server.clone(),
            revision: parts.revision,
            asking: Asking::Task { entry: Arc::clone(&entry), session },
            meta: parts.meta.clone(),
            progress_token: None,
            log_level: None,
            capabilities: parts.capabilities.clone(),
            outlet: Outlet::Nowhere,
            facts: parts.facts.clone(),
            control: Control::default(),
        });
        let work = begin(context.clone());
        tokio::spawn(run(entry, context, work));
        let modern = parts.revision.era() == Era::Modern;
        Ok(Task { result_type: modern.then_some(ResultType::Task), ..task })
    }

    /// The task with this id, if it is of the principal and the era of a request.
    pub(super) fn find(&self, id: &str, context: &Context) -> Option<Arc<Entry>> {
        let mut all = self.all();
        purge(&mut all);
        all.get(id).filter(|entry| is_for(entry, context)).cloned()
    }

    /// Those of some ids that are tasks for whoever asks.
    pub(crate) fn known(&self, ids: Vec<String>, context: &Context) -> Vec<String> {
        ids.into_iter().filter(|id| self.find(id, context).is_some()).collect()
    }

    /// The tasks of whoever asks, in the order in which they were made; where nobody is authorized, those of the session.
    pub(super) fn of(&self, session: &Session, context: &Context) -> Vec<Task> {
        let mut all = self.all();
        purge(&mut all);
        let is_ours = |entry: &&Arc<Entry>| match entry.principal {
            Some(_) => is_for(entry, context),
            None => is_for(entry, context) && entry.is_of(session),
        };
        let mut tasks: Vec<Task> = all.values().filter(is_ours).map(|entry| entry.task()).collect();
        tasks.sort_by(|one, other| (&one.created_at, &one.task_id).cmp(&(&other.created_at, &other.task_id)));
        tasks
    }

    /// Nothing of them is wanted any more.
    pub(crate) fn cancel_all(&self) {
        let all: Vec<Arc<Entry>> = self.all().values().cloned().collect();
        for entry in all {
            entry.cancel();
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Entry>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a task is there for a request.
fn is_for(entry: &Entry, context: &Context) -> bool {
    entry.era() == context.era() && entry.principal.as_deref() == context.facts().principal()
}

/// Forgets the tasks that are too old.
fn purge(all: &mut HashMap<String, Arc<Entry>>) {
    let now = Instant::now();
    all.retain(|_, entry| {
        let keep = now < entry.until;
        if !keep {
            entry.control.cancel();
        }
        keep
    });
}

/// Works until there is an outcome, or nobody wants one.
async fn run(entry: Arc<Entry>, context: Context, work: Handling) {
    let parts = context.parts();
    let mut work = match work {
        Handling::Ready(answer) => Box::pin(std::future::ready(answer)),
        Handling::Later(future) => future,
    };
    let answer = poll_fn(|cx| {
        if entry.control.drive(cx.waker()) {
            return Poll::Ready(None);
        }
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx)));
        let broken = || Poll::Ready(Err(Failure::protocol(code::INTERNAL_ERROR, "the handler broke off")));
        polled.unwrap_or_else(|_| broken()).map(Some)
    });
    let answer = tokio::time::timeout_at(entry.until, answer).await.unwrap_or_default();
    match answer {
        None => {
            parts.control.cancel();
            entry.cancel();
        }
        Some(Ok(reply)) => {
            let is_error = matches!(&reply, Reply::CallTool(result) if result.is_error);
            let mut text = Vec::new();
            reply.write(parts.revision, parts.server.description(), &mut text);
            let text = String::from_utf8(text).expect("JSON is written in UTF-8");
            let result = Json::from_text(text).expect("a reply is JSON");
            entry.ended(if is_error { Outcome::ToldError(result) } else { Outcome::Result(result) });
        }
        Some(Err(failure)) => entry.ended(Outcome::Error(failure.into_error(parts.revision))),
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("kept", &self.all().len()).finish_non_exhaustive()
    }
}
