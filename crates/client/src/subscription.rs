//! Being told of changes, the same way in both eras.
//!
//! A modern server is asked once for a stream (`subscriptions/listen`; MCP 2026-07-28, basic/patterns/subscriptions).
//! A legacy server tells of changed lists by itself and is asked for each resource (MCP 2025-11-25,
//! server/resources).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, MutexGuard, Weak};
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{
    AcknowledgedParams, EmptyResult, Era, Json, ListenParams, Message, ReplyError, ResourceParams,
    ServerCapabilities, SubscriptionFilter, Task, code, method,
};
use codewhale_mcp_session::{Budget, More};
use serde::de::IgnoredAny;
use tokio::time::Instant;

use crate::client::{Client, Inner};
use crate::error::CallError;
use crate::event::Event;
use crate::lane::Pause;
use crate::pending::{Pending, Step};
use crate::request::{Request, not_sent};
use crate::resources::Uri;
use crate::room::when_there_is_room;
use crate::shared::Life;
use crate::state::{Outcome, Wants};
use crate::teller::{Heard, Listener};

/// A stream that was open for so long was of use.
const LONG: Duration = Duration::from_secs(5);

/// The most notifications that are kept before the agreement.
const MOST_EARLY: usize = 64;

/// Something of a server is another one now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources.
    Resources,
    /// A resource, or a part of one that was subscribed to.
    Resource(String),
    /// A task (tasks extension).
    Task(Box<Task>),
    /// Some changes were lost because nobody took them in time: anything may have changed.
    Missed,
}

/// A stream of changes. Dropping it ends it.
#[derive(Debug)]
pub struct Subscription {
    /// What the server agreed to tell; it may be less than was asked for.
    pub honoured: SubscriptionFilter,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Modern(Box<Modern>),
    Legacy(Legacy),
}

/// The stream of a modern server.
#[derive(Debug)]
struct Modern {
    /// It does not keep the connection open.
    client: Weak<Inner>,
    wanted: SubscriptionFilter,
    stream: Stream,
    opened: Instant,
    /// It broke off, and there is no new one yet.
    broken: bool,
    pause: Pause,
}

/// A request whose answer ends the stream, and the notifications that came before the agreement.
#[derive(Debug)]
struct Stream {
    pending: Pending,
    early: VecDeque<Bytes>,
}

/// Resources that a legacy server was asked to watch.
#[derive(Debug)]
struct Legacy {
    client: Client,
    events: Listener,
    uris: Vec<String>,
    lists: SubscriptionFilter,
}

impl Client {
    /// Asks to be told of changes.
    ///
    /// # Errors
    /// As for any request, with the client's `read_timeout` for the server's agreement; [`CallError::ServerLacks`] when
    /// a legacy server cannot watch resources.
    pub async fn subscribe(&self, filter: SubscriptionFilter) -> Result<Subscription, CallError> {
        match self.server().era() {
            Era::Modern => {
                let (honoured, stream) = self.listen(&filter).await?;
                let (client, pause) = (Arc::downgrade(&self.0), Pause::default());
                let opened = Instant::now();
                let modern = Modern { client, wanted: filter, stream, opened, broken: false, pause };
                Ok(Subscription { honoured, source: Source::Modern(Box::new(modern)) })
            }
            Era::Legacy => self.watch(filter).await,
        }
    }

    async fn listen(&self, filter: &SubscriptionFilter) -> Result<(SubscriptionFilter, Stream), CallError> {
        let params = ListenParams { notifications: filter.clone(), ..ListenParams::default() };
        let (shared, method) = (self.shared(), method::LISTEN);
        let submit = || {
            shared.submit(method, (&params, More::default(), None), Life::UntilItsEnd, (Wants::Stream, None))
        };
        let after = self.options().read_timeout;
        let agreed = tokio::time::timeout(after, async {
            let sent =
                async || when_there_is_room(shared, submit).await.map_err(|error| not_sent(method, error));
            let mut pending = sent().await?;
            let mut early = VecDeque::new();
            let mut reselected = false;
            loop {
                match pending.next().await {
                    Step::Note(note) => match acknowledged(&note) {
                        Some(Ok(honoured)) => {
                            return Ok((honoured, Stream { pending, early }));
                        }
                        Some(Err(error)) => {
                            return Err(CallError::ServerReplyInvalid { method, reason: error.to_string() });
                        }
                        // It has to come first; what comes before it is not lost.
                        None if early.len() < MOST_EARLY => early.push_back(note),
                        None => {}
                    },
                    Step::Outcome(outcome) => match self.not_agreed(outcome) {
                        CallError::ServerError { error, .. }
                            if !reselected
                                && error.code == code::UNSUPPORTED_PROTOCOL_VERSION
                                && shared.reselect(&error.supported_versions()) =>
                        {
                            reselected = true;
                            pending = sent().await?;
                        }
                        error => return Err(error),
                    },
                }
            }
        });
        agreed.await.map_err(|_| CallError::ServerTimedOut { method, after })?
    }

    fn not_agreed(&self, outcome: Outcome) -> CallError {
        let method = method::LISTEN;
        let invalid = |reason: String| CallError::ServerReplyInvalid { method, reason };
        match outcome {
            Outcome::Reply(frame, reply) => match reply.decode::<IgnoredAny>(&frame) {
                Err(ReplyError::Peer(error)) => CallError::ServerError { method, error },
                Err(other) => invalid(other.to_string()),
                Ok(_) => invalid("it ended without an agreement".into()),
            },
            Outcome::Gone(_) if self.is_closing() => CallError::ClosedHere,
            Outcome::Gone(gone) => CallError::ServerGone(gone),
            Outcome::Broken(fault) => invalid(fault.to_string()),
            Outcome::Fault(fault) => CallError::Exchange { method, fault },
            Outcome::TimedOut(_) | Outcome::Ended => invalid("it ended without an agreement".into()),
        }
    }

    async fn watch(&self, filter: SubscriptionFilter) -> Result<Subscription, CallError> {
        let events = self.events().listener;
        if let Some(gone) = self.gone() {
            return Err(CallError::ServerGone(gone));
        }
        let mut honoured = offered(&self.server().capabilities, &filter);
        let wanted = filter.resource_subscriptions.unwrap_or_default();
        let watches =
            self.server().capabilities.resources.as_ref().is_some_and(|resources| resources.subscribe);
        if !wanted.is_empty() && !watches {
            return Err(CallError::ServerLacks { capability: "resources.subscribe" });
        }
        if let Some(lane) = self.shared().lane_if_any() {
            // What changes while nobody listens is told to nobody.
            lane.hears().await;
        }
        let mut legacy = Legacy { client: self.clone(), events, uris: Vec::new(), lists: honoured.clone() };
        for uri in wanted {
            *self.watched().entry(uri.clone()).or_default() += 1;
            legacy.uris.push(uri);
            let watched = legacy.uris.len() - 1;
            let subscribed = self.resource_request(method::RESOURCES_SUBSCRIBE, &legacy.uris[watched]).await;
            if let Err(error) = subscribed {
                // What was refused need not be taken back.
                self.unwatch(&legacy.uris.swap_remove(watched));
                return Err(error);
            }
        }
        if !legacy.uris.is_empty() {
            honoured.resource_subscriptions = Some(legacy.uris.clone());
        }
        Ok(Subscription { honoured, source: Source::Legacy(legacy) })
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.shared().watched.lock().expect("nothing panics while it holds the lock")
    }

    /// One subscription fewer watches this resource; true when it was the last.
    fn unwatch(&self, uri: &str) -> bool {
        let mut watched = self.watched();
        let Some(count) = watched.get_mut(uri) else { return false };
        *count -= 1;
        let last = *count == 0;
        if last {
            watched.remove(uri);
        }
        last
    }

    async fn resource_request(&self, method: &'static str, uri: &str) -> Result<(), CallError> {
        let budget = Budget::total(self.options().read_timeout);
        let request: Request<'_, _, EmptyResult> = Request::new(self, method, Uri { uri }, budget);
        request.send().await.map(drop)
    }
}

impl Subscription {
    /// The next change, or `None` when the server has ended the stream or is gone.
    pub async fn next(&mut self) -> Option<Change> {
        match &mut self.source {
            Source::Modern(modern) => modern.next().await,
            Source::Legacy(legacy) => legacy.next().await,
        }
    }
}

impl Modern {
    async fn next(&mut self) -> Option<Change> {
        loop {
            if self.broken {
                return self.open_again().await;
            }
            let Stream { pending, early } = &mut self.stream;
            if pending.missed() {
                return Some(Change::Missed);
            }
            let note = match early.pop_front() {
                Some(note) => note,
                None if pending.is_settled() => return None,
                None => match pending.next().await {
                    Step::Note(note) => note,
                    Step::Outcome(Outcome::Fault(_)) => {
                        // Whoever is between may end what is silent, as often as it likes.
                        if self.opened.elapsed() >= LONG {
                            self.pause.was_useful();
                        }
                        self.broken = true;
                        continue;
                    }
                    Step::Outcome(_) => return None,
                },
            };
            self.pause.was_useful();
            if let Ok(Message::Notification { method, params }) = Message::parse(&note)
                && let Some(change) = change(&method, params.map(Json::from).as_ref())
            {
                return Some(change);
            }
        }
    }

    /// The stream broke off without a word: what changed until there is a new one is not known (MCP 2026-07-28,
    /// basic/patterns/subscriptions).
    async fn open_again(&mut self) -> Option<Change> {
        let stream = loop {
            let Some(pause) = self.pause.next(None) else { break None };
            tokio::time::sleep(pause).await;
            let Some(client) = self.client.upgrade().map(Client) else { break None };
            match client.listen(&self.wanted).await {
                Ok((_, stream)) => break Some(stream),
                Err(CallError::Exchange { .. } | CallError::ServerTimedOut { .. }) => {}
                Err(_) => break None,
            }
        };
        self.broken = false;
        self.opened = Instant::now();
        self.stream = stream?;
        Some(Change::Missed)
    }
}

impl Legacy {
    async fn next(&mut self) -> Option<Change> {
        loop {
            let event = match self.events.next().await {
                Heard::Event(event) => event,
                Heard::Missed => return Some(Change::Missed),
                Heard::Over => return None,
            };
            let wanted = |wanted: Option<bool>| wanted == Some(true);
            match event {
                Event::ToolsChanged if wanted(self.lists.tools_list_changed) => return Some(Change::Tools),
                Event::PromptsChanged if wanted(self.lists.prompts_list_changed) => {
                    return Some(Change::Prompts);
                }
                Event::ResourcesChanged if wanted(self.lists.resources_list_changed) => {
                    return Some(Change::Resources);
                }
                // It may name a part of what was subscribed to.
                Event::ResourceUpdated { uri } if !self.uris.is_empty() => {
                    return Some(Change::Resource(uri.to_string()));
                }
                Event::Closed(_) => return None,
                _ => {}
            }
        }
    }
}

impl Drop for Legacy {
    fn drop(&mut self) {
        let uris = std::mem::take(&mut self.uris);
        if uris.is_empty() {
            return;
        }
        // Without a runtime nothing can be sent; the server forgets with the connection.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let client = self.client.clone();
            runtime.spawn(async move {
                for uri in uris {
                    if client.unwatch(&uri) {
                        // A server that is gone has forgotten already.
                        let _ = client.resource_request(method::RESOURCES_UNSUBSCRIBE, &uri).await;
                    }
                }
            });
        }
    }
}

/// What the server agreed to, if this says so.
fn acknowledged(note: &[u8]) -> Option<Result<SubscriptionFilter, serde_json::Error>> {
    match Message::parse(note) {
        Ok(Message::Notification { method, params }) if method == method::SUBSCRIPTIONS_ACKNOWLEDGED => {
            let params = serde_json::from_str::<AcknowledgedParams>(params?.get());
            Some(params.map(|params| params.notifications))
        }
        _ => None,
    }
}

fn change(name: &str, params: Option<&Json>) -> Option<Change> {
    match name {
        method::TOOLS_LIST_CHANGED => Some(Change::Tools),
        method::PROMPTS_LIST_CHANGED => Some(Change::Prompts),
        method::RESOURCES_LIST_CHANGED => Some(Change::Resources),
        method::RESOURCES_UPDATED => Some(Change::Resource(params?.decode::<ResourceParams>().ok()?.uri)),
        method::TASKS => Some(Change::Task(Box::new(params?.decode().ok()?))),
        _ => None,
    }
}

/// Which of the lists a legacy server tells of.
fn offered(capabilities: &ServerCapabilities, wanted: &SubscriptionFilter) -> SubscriptionFilter {
    let tells = |list: &Option<codewhale_mcp_protocol::ListCapability>, wanted: Option<bool>| {
        let both = wanted == Some(true) && list.as_ref().is_some_and(|list| list.list_changed);
        both.then_some(true)
    };
    SubscriptionFilter {
        tools_list_changed: tells(&capabilities.tools, wanted.tools_list_changed),
        prompts_list_changed: tells(&capabilities.prompts, wanted.prompts_list_changed),
        resources_list_changed: tells(&capabilities.resources, wanted.resources_list_changed),
        ..SubscriptionFilter::default()
    }
}
