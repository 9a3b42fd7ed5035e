//! A request that is being put together, and the way it takes.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::task::{Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{
    ElicitMode, Era, ErrorObject, InputRequiredResult, Json, ProgressParams, Reply, ReplyError, Revision,
    Task, code, method,
};
use codewhale_mcp_session::{Budget, EncodeError, More, Time};
use serde::{Deserialize, Serialize};

use crate::cache::Key;
use crate::client::Client;
use crate::error::CallError;
use crate::meta_name;
use crate::pending::Pending;
use crate::result::RequestResult;
use crate::room::when_there_is_room;
use crate::shared::{Life, NotSent};
use crate::state::{Outcome, Wants};
use crate::unfinished::Unfinished;

/// A request that has not been sent yet.
#[must_use = "a request is sent by `send`"]
pub struct Request<'a, P, R> {
    pub(crate) ask: Ask<'a, P>,
    pub(crate) on_progress: OnProgress<'a>,
    result: PhantomData<fn() -> R>,
}

/// Who is told of progress.
pub(crate) type OnProgress<'a> = Option<Box<dyn FnMut(ProgressParams) + Send + 'a>>;

/// What is asked of whom.
#[derive(Debug)]
pub(crate) struct Ask<'a, P> {
    pub(crate) client: &'a Client,
    pub(crate) method: &'static str,
    params: P,
    /// What is called, read or got: some transports say it again.
    name: Option<&'a str>,
    pub(crate) budget: Budget,
    /// What few requests have.
    rarer: Option<Box<Rarer>>,
}

/// Apart, because each request is moved more than once, and waits.
#[derive(Debug, Default)]
struct Rarer {
    /// Under which name the result is kept while it is true.
    cached: Option<Key>,
    /// A result that is kept already is not good enough.
    fresh: bool,
    /// Further members of `_meta`.
    meta: Option<String>,
    /// A name that no member of `_meta` may have.
    bad_meta: Option<String>,
}

/// An answer that was looked at.
pub(crate) enum Read<R> {
    /// It is the result.
    Whole(R),
    /// It is the result, once this was made of the answer.
    Mended(R, String),
    /// Something has to happen first.
    Unfinished(Unfinished),
}

impl<P: fmt::Debug, R> fmt::Debug for Request<'_, P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("ask", &self.ask).finish_non_exhaustive()
    }
}

impl<'a, P: Serialize, R: RequestResult> Request<'a, P, R> {
    pub(crate) fn new(client: &'a Client, method: &'static str, params: P, budget: Budget) -> Self {
        let ask = Ask { client, method, params, name: None, budget, rarer: None };
        Self { ask, on_progress: None, result: PhantomData }
    }

    /// With the name of what is called, read or got.
    pub(crate) fn named(mut self, name: &'a str) -> Self {
        self.ask.name = Some(name);
        self
    }

    /// The result may come from the cache, and is kept there.
    pub(crate) fn cached(mut self, key: Key) -> Self {
        self.ask.rarer().cached = Some(key);
        self
    }

    /// The time the request may take, from now to its answer. What people are asked meanwhile takes none of it.
    pub fn timeout(mut self, total: Duration) -> Self {
        self.ask.budget.total = total;
        self
    }

    /// The longest silence; progress ends it.
    pub fn idle_timeout(mut self, idle: Duration) -> Self {
        self.ask.budget.idle = Some(idle);
        self
    }

    /// Asks the server, also where an earlier answer is still true.
    pub fn fresh(mut self) -> Self {
        self.ask.rarer().fresh = true;
        self
    }

    /// Adds a member to `_meta`, such as `traceparent` (MCP 2026-07-28, basic/index). The connection's own members
    /// are added by itself. With a name that has not the form of one, or that is the connection's, the request is not
    /// sent.
    pub fn meta(mut self, name: &str, value: &Json) -> Self {
        if !meta_name::is_callers(name) {
            self.ask.rarer().bad_meta = Some(name.to_owned());
            return self;
        }
        let name = Json::encode(name).expect("a text has a JSON form");
        let member = format!("{}:{}", name.as_str(), value.as_str());
        let meta = &mut self.ask.rarer().meta;
        *meta = Some(match meta.take() {
            Some(members) => format!("{members},{member}"),
            None => member,
        });
        self
    }

    /// Calls `handler` for each progress notification, in the task that waits for the answer. When it does
    /// not keep up, the oldest notifications are lost.
    pub fn on_progress(mut self, handler: impl FnMut(ProgressParams) + Send + 'a) -> Self {
        self.on_progress = Some(Box::new(handler));
        self
    }

    /// Sends the request and waits for its result. Dropping the future cancels the request.
    ///
    /// When the server needs input first, its questions go to the handler and the request goes out again; a task
    /// that the server makes of it is waited for.
    ///
    /// # Errors
    /// [`CallError`] says who is to blame for what.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` moves the request once more and holds room for both"
    )]
    pub fn send(mut self) -> impl Future<Output = Result<R, CallError>> {
        async move {
            let change = match &self.ask.rarer {
                None => 0,
                Some(rarer) => match self.ask.unasked(rarer)? {
                    Ok(result) => return Ok(result),
                    Err(change) => change,
                },
            };
            let (outcome, since) = match self.ask.client.shared().lane_if_any() {
                None => {
                    let (budget, wants) = (self.ask.budget, wants(&self.on_progress));
                    // The answer wakes whoever sends it, so that there is nothing to look at before.
                    let sent = poll_fn(|context| {
                        Poll::Ready(self.ask.submit_now(budget, None, wants, Some(context.waker())))
                    });
                    let mut pending = match sent.await {
                        Ok(pending) => pending,
                        Err(fault) => Box::pin(self.ask.submit_later(fault, budget, None, wants)).await?,
                    };
                    (pending.outcome(&mut self.on_progress).await, pending.since())
                }
                Some(_) => Box::pin(self.ask.insist(self.ask.budget, None, &mut self.on_progress)).await?,
            };
            match self.ask.conclude(outcome, change)? {
                Ok(result) => Ok(result),
                Err(unfinished) => Box::pin(self.ask.finish(unfinished, since, self.on_progress)).await,
            }
        }
    }
}

impl<P> Ask<'_, P> {
    fn rarer(&mut self) -> &mut Rarer {
        self.rarer.get_or_insert_default()
    }

    /// Under which name the result is kept while it is true.
    pub(crate) fn cached(&self) -> Option<&Key> {
        self.rarer.as_ref()?.cached.as_ref()
    }

    /// Whether a result that is kept already is not good enough.
    pub(crate) fn wants_a_fresh_one(&self) -> bool {
        self.rarer.as_ref().is_some_and(|rarer| rarer.fresh)
    }
}

impl<P: Serialize> Ask<'_, P> {
    /// A result that is kept, else how often its kind has changed so far.
    fn unasked<R: RequestResult>(&self, rarer: &Rarer) -> Result<Result<R, u64>, CallError> {
        if let Some(name) = &rarer.bad_meta {
            let (method, source) = (self.method, EncodeError::MetaName { name: name.clone() });
            return Err(CallError::CallerParamsInvalid { method, source });
        }
        Ok(rarer.cached.as_ref().map_or(Err(0), |key| self.kept(key)))
    }

    /// One message to the server and its answer, and when it was sent.
    pub(crate) async fn exchange(
        &self,
        budget: Budget,
        members: Option<&str>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(Outcome, Time), CallError> {
        let wants = wants(on_progress);
        let mut pending = match self.submit_now(budget, members, wants, None) {
            Ok(pending) => pending,
            Err(fault) => self.submit_later(fault, budget, members, wants).await?,
        };
        Ok((pending.outcome(on_progress).await, pending.since()))
    }

    /// A message that did not leave at once, as soon as there is room where there was none.
    async fn submit_later(
        &self,
        fault: NotSent,
        budget: Budget,
        members: Option<&str>,
        wants: Wants,
    ) -> Result<Pending, CallError> {
        let NotSent::NoRoom = fault else { return Err(not_sent(self.method, fault)) };
        let submit = || self.submit_now(budget, members, wants, None);
        match tokio::time::timeout(budget.total, when_there_is_room(self.client.shared(), submit)).await {
            Ok(sent) => sent.map_err(|error| not_sent(self.method, error)),
            Err(_) => Err(self.timed_out()),
        }
    }

    /// One message to the server, if there is room for it; its answer wakes `waker`, who need not look before that.
    pub(crate) fn submit_now(
        &self,
        budget: Budget,
        members: Option<&str>,
        wants: Wants,
        waker: Option<&Waker>,
    ) -> Result<Pending, NotSent> {
        let meta = self.rarer.as_ref().and_then(|rarer| rarer.meta.as_deref());
        let content = (&self.params, More { meta, params: members }, self.name);
        self.client.shared().submit(self.method, content, Life::Limited(budget), (wants, waker))
    }

    /// The result, which is kept while it is true, or what has to happen first.
    pub(crate) fn conclude<R: RequestResult>(
        &self,
        outcome: Outcome,
        change: u64,
    ) -> Result<Result<R, Unfinished>, CallError> {
        let (frame, reply) = self.answered(outcome)?;
        let (result, from) = match self.read::<R>(&frame, &reply)? {
            Read::Whole(result) if self.rarer.is_none() => return Ok(Ok(result)),
            Read::Whole(result) => (result, (frame, reply)),
            Read::Mended(result, text) => {
                let range = 0..text.len();
                (result, (text.into(), Reply::Result(range)))
            }
            Read::Unfinished(unfinished) => return Ok(Err(unfinished)),
        };
        if let (Some(key), Era::Modern) = (self.cached(), self.client.server().era()) {
            self.client.shared().keep(key.clone(), from, result.ttl(), change);
        }
        Ok(Ok(result))
    }

    /// The answer, if that is what came.
    pub(crate) fn answered(&self, outcome: Outcome) -> Result<(Bytes, Reply), CallError> {
        let method = self.method;
        Err(match outcome {
            Outcome::Reply(frame, reply) => return Ok((frame, reply)),
            Outcome::Broken(fault) => self.invalid(fault.to_string()),
            Outcome::TimedOut(None) => self.timed_out(),
            Outcome::TimedOut(Some(after)) => CallError::ServerSilent { method, after },
            Outcome::Gone(_) | Outcome::Fault(_) if self.client.is_closing() => CallError::ClosedHere,
            Outcome::Gone(gone) => CallError::ServerGone(gone),
            Outcome::Fault(fault) => CallError::Exchange { method, fault },
            Outcome::Ended => self.invalid("the server ended it".into()),
        })
    }

    pub(crate) fn read<R: RequestResult>(&self, frame: &[u8], reply: &Reply) -> Result<Read<R>, CallError> {
        match R::read(reply, frame) {
            Ok(result) => match result.result_type() {
                Some(kind) if kind != "complete" && self.is_modern() => {
                    self.unfinished(kind, frame, reply).map(Read::Unfinished)
                }
                _ => Ok(Read::Whole(R::admitted(result, self.client))),
            },
            Err(ReplyError::Peer(error)) => self.refused(error).map(Read::Unfinished),
            Err(other) => match kind_of(frame, reply).filter(|_| self.is_modern()) {
                Some(kind) => self.unfinished(&kind, frame, reply).map(Read::Unfinished),
                None => salvaged(frame, reply).ok_or_else(|| self.invalid(other.to_string())),
            },
        }
    }

    /// What follows a result that is not the end (MCP 2026-07-28, basic/index).
    fn unfinished(&self, kind: &str, frame: &[u8], reply: &Reply) -> Result<Unfinished, CallError> {
        let unreadable = |error: ReplyError| self.invalid(error.to_string());
        match kind {
            "input_required" => {
                reply.decode::<InputRequiredResult>(frame).map(Unfinished::Input).map_err(unreadable)
            }
            "task" if self.method == method::TOOLS_CALL && self.client.has_tasks_extension() => {
                reply.decode::<Task>(frame).map(|task| Unfinished::Task(Box::new(task))).map_err(unreadable)
            }
            _ => Err(self.invalid(unknown_result_type(kind))),
        }
    }

    /// What follows an error: for some there is a way on.
    fn refused(&self, error: ErrorObject) -> Result<Unfinished, CallError> {
        if self.is_modern() && error.code == code::UNSUPPORTED_PROTOCOL_VERSION {
            return Ok(Unfinished::OtherRevision(error));
        }
        if error.code == code::HEADER_MISMATCH
            && self.method == method::TOOLS_CALL
            && self.client.shared().mirrors_arguments()
        {
            return Ok(Unfinished::OtherHeaders(error));
        }
        if self.client.server().revision == Revision::V2025_11_25
            && self.client.sends_people_to_addresses()
            && let Some(elicitations) = error.required_elicitations()
            && !elicitations.is_empty()
            && elicitations.iter().all(|elicitation| elicitation.mode() == ElicitMode::Url)
        {
            return Ok(Unfinished::Elicitations(elicitations, error));
        }
        Err(CallError::ServerError { method: self.method, error })
    }

    fn is_modern(&self) -> bool {
        self.client.server().era() == Era::Modern
    }

    pub(crate) fn invalid(&self, reason: String) -> CallError {
        CallError::ServerReplyInvalid { method: self.method, reason }
    }

    pub(crate) fn timed_out(&self) -> CallError {
        CallError::ServerTimedOut { method: self.method, after: self.budget.total }
    }
}

/// The `resultType` of a result that may be of any form, unless it says that it is whole.
fn kind_of(frame: &[u8], reply: &Reply) -> Option<String> {
    #[derive(Deserialize)]
    struct Typed {
        #[serde(rename = "resultType")]
        kind: String,
    }
    reply.decode::<Typed>(frame).ok().map(|typed| typed.kind).filter(|kind| kind != "complete")
}

/// What is wrong with a result of this kind.
pub(crate) fn unknown_result_type(kind: &str) -> String {
    format!("it has the unknown resultType {kind:?}")
}

/// What can be used of a result that holds halves of characters, or is not quite of its form.
fn salvaged<R: RequestResult>(frame: &[u8], reply: &Reply) -> Option<Read<R>> {
    let text = match reply.mended(frame) {
        Some(text) => text,
        None => reply.decode::<Json>(frame).ok()?.as_str().to_owned(),
    };
    let result = serde_json::from_str(&text).ok().or_else(|| R::salvage(&text))?;
    Some(Read::Mended(result, text))
}

fn wants(on_progress: &OnProgress<'_>) -> Wants {
    if on_progress.is_some() { Wants::Progress } else { Wants::Answer }
}

pub(crate) fn not_sent(method: &'static str, error: NotSent) -> CallError {
    match error {
        NotSent::Mirror(source) => CallError::CallerArgumentInvalid { method, source },
        NotSent::Encode(source) => CallError::CallerParamsInvalid { method, source },
        NotSent::Gone(gone) => CallError::ServerGone(gone),
        NotSent::ClosedHere | NotSent::NoRoom => CallError::ClosedHere,
    }
}
