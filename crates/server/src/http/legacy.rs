//! Messages of the legacy era, each within a session (MCP 2025-11-25, basic/transports).
//!
//! The end of a connection is no cancellation here: a request is worked on by a task of its own, and what it says is kept for
//! whoever comes back for it.

use std::sync::Arc;

use bytes::Bytes;
use codewhale_mcp_protocol::header::{LAST_EVENT_ID, PROTOCOL_VERSION, SESSION_ID};
use codewhale_mcp_protocol::{Era, Revision, SentHeader, method};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::body::{Body, Source};
use super::endpoint::{Asker, Endpoint, era_of};
use super::kept::{Kept, Reader, place};
use super::media::{EVENT_STREAM, takes};
use super::modern::stream;
use super::refusal::{Refusal, empty, json};
use super::release::Release;
use super::sessions::{InUse, Open};
use super::{event, mirrored};
use crate::batch::fits;
use crate::incoming;
use crate::session::no_sessions;
use crate::{Exchange, Incoming, IncomingKind, OutgoingKind, Server, Session};

/// Whether a message without a revision in its head is one of a session, or begins one.
pub(super) fn is_for_a_session(headers: &HeaderMap, message: &Incoming<'_>) -> bool {
    mirrored::sent(headers, SESSION_ID).is_some() || message.method() == Some(method::INITIALIZE)
}

/// What a client that begins a session is told where there are none.
pub(super) fn refuse_session(server: &Server, message: &Incoming<'_>) -> Response<Body> {
    json(StatusCode::BAD_REQUEST, message.refuse(&no_sessions(server, message.params_as_they_came())))
}

impl Endpoint {
    pub(super) async fn post_legacy(
        self: &Arc<Self>,
        headers: &HeaderMap,
        message: &Incoming<'_>,
        asker: Asker,
    ) -> Result<Response<Body>, Refusal> {
        if message.method() == Some(method::INITIALIZE) && mirrored::sent(headers, SESSION_ID).is_none() {
            return self.begin(message, &asker).await;
        }
        let session = self.session(headers, &asker)?;
        if message.kind() != IncomingKind::Request && message.kind() != IncomingKind::Batch {
            // What comes of it comes elsewhere.
            drop(session.session.exchange(message, asker.facts()));
            return Ok(empty(StatusCode::ACCEPTED));
        }
        let limits = &self.options.limits;
        let count = match &message.body {
            incoming::Body::Batch(elements) => {
                // One that is longer than what is taken at a time would never be taken.
                let most = self.server.limits().batch.min(limits.in_flight_of_session).min(limits.in_flight);
                if let Err(fault) = fits(&session.session, elements.len(), most) {
                    return Ok(json(StatusCode::BAD_REQUEST, message.refuse(&fault)));
                }
                u32::try_from(elements.len()).unwrap_or(u32::MAX)
            }
            _ => 1,
        };
        self.allow(&asker, message).await?;
        let busy = |status, what| Refusal::busy(status, format!("{what} at the moment"));
        let place = (self.in_flight.clone().try_acquire_many_owned(count))
            .map_err(|_| busy(StatusCode::SERVICE_UNAVAILABLE, "too much is going on"))?;
        let own = (session.in_flight.clone().try_acquire_many_owned(count))
            .map_err(|_| busy(StatusCode::TOO_MANY_REQUESTS, "too much is going on in this session"))?;
        let kept = session.begin_stream();
        let times = &self.options.times;
        // From the first word on, so that none is dropped for want of a reader.
        let reader = kept.read(0, times.retry).expect("nothing is said yet");
        let facts = asker.facts().with(Release::of(&kept));
        let exchange = session.session.exchange(message, facts);
        let unnamed = Unnamed { session: session.clone(), kept: kept.clone(), named: false };
        tokio::spawn(work(exchange, kept.clone(), session.clone(), [place, own]));
        if timeout(times.patience, kept.begun()).await.is_ok() {
            if kept.is_over_without_a_word() {
                // Who took a request back gets no answer, and where there is one there is no 202.
                return Ok(match message.asks() {
                    true => stream(Heard { reader, _session: session }, times.keep_alive),
                    false => empty(StatusCode::ACCEPTED),
                });
            }
            if let Some(answer) = kept.only_message() {
                return Ok(json(StatusCode::OK, answer.to_vec()));
            }
        }
        unnamed.tell();
        Ok(self.stream_of(&kept, 0, reader, session))
    }

    /// A stream of a session; of 2025-11-25 it begins with an id, so that it can be taken up from the first moment on.
    fn stream_of(&self, kept: &Kept, behind: u64, reader: Reader, session: InUse) -> Response<Body> {
        let times = &self.options.times;
        let primed = session.session.revision() >= Revision::V2025_11_25;
        let reader = match primed {
            true => {
                reader.beginning_with(event::priming(&format!("{}-{behind}", kept.number()), times.retry))
            }
            false => reader,
        };
        stream(Heard { reader, _session: session }, times.keep_alive)
    }

    async fn begin(&self, message: &Incoming<'_>, asker: &Asker) -> Result<Response<Body>, Refusal> {
        self.allow(asker, message).await?;
        if !self.sessions.make_room() {
            let message = "there are as many sessions as there may be";
            return Err(Refusal::busy(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let (session, answer) = match Session::open(&self.server, message) {
            Ok(opened) => opened,
            Err(answer) => return Ok(json(StatusCode::BAD_REQUEST, answer)),
        };
        let (name, open) = self.sessions.open(session, asker.principal.clone(), &self.options);
        tokio::spawn(tell(open));
        let mut response = json(StatusCode::OK, answer);
        let name = HeaderValue::from_str(&name).expect("it is visible ASCII");
        let header = HeaderName::from_bytes(SESSION_ID.as_bytes()).expect("it is a name");
        response.headers_mut().insert(header, name);
        Ok(response)
    }

    /// Opens the stream of what the server says by itself, or goes on with one that was interrupted.
    pub(super) fn get(&self, headers: &HeaderMap, asker: &Asker) -> Result<Response<Body>, Refusal> {
        if !takes(headers, EVENT_STREAM) {
            let message = format!("what is heard here is of type {EVENT_STREAM}");
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, message));
        }
        let session = self.session(headers, asker)?;
        let retry = self.options.times.retry;
        let Some(last) = mirrored::sent(headers, LAST_EVENT_ID) else {
            let kept = session.unasked.clone();
            let (behind, reader) = kept.read_on(retry);
            return Ok(self.stream_of(&kept, behind, reader, session));
        };
        let found = match last {
            SentHeader::Text(id) => place(id),
            SentHeader::Unreadable => None,
        };
        let found = found.and_then(|(stream, behind)| Some((session.stream(stream)?, behind)));
        let reader = found.and_then(|(kept, behind)| kept.read(behind, retry).ok());
        let gone = || Refusal::new(StatusCode::BAD_REQUEST, "what followed that event is not kept");
        Ok(stream(
            Heard { reader: reader.ok_or_else(gone)?, _session: session },
            self.options.times.keep_alive,
        ))
    }

    /// Ends a session.
    pub(super) fn delete(&self, headers: &HeaderMap, asker: &Asker) -> Result<Response<Body>, Refusal> {
        self.session(headers, asker)?;
        if let Some(SentHeader::Text(name)) = mirrored::sent(headers, SESSION_ID) {
            self.sessions.end(name);
        }
        Ok(empty(StatusCode::NO_CONTENT))
    }

    /// The session that a request names, in a revision that fits.
    fn session(&self, headers: &HeaderMap, asker: &Asker) -> Result<InUse, Refusal> {
        let bad = |message: &str| Refusal::new(StatusCode::BAD_REQUEST, message);
        if mirrored::sent(headers, PROTOCOL_VERSION).is_some() && era_of(headers) != Some(Era::Legacy) {
            return Err(bad("this revision has no sessions here"));
        }
        match mirrored::sent(headers, SESSION_ID) {
            None => Err(bad("a session is needed, which begins with initialize")),
            Some(SentHeader::Unreadable) => Err(bad("the name of the session cannot be read")),
            Some(SentHeader::Text(name)) => {
                let found = self.sessions.find(name, asker.principal.as_ref());
                found.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "there is no such session"))
            }
        }
    }
}

/// Works on a request until its end, whoever listens.
async fn work(mut exchange: Exchange, kept: Arc<Kept>, session: InUse, _places: [OwnedSemaphorePermit; 2]) {
    let mut last = None;
    while let Some(next) = exchange.next().await {
        match next.kind {
            OutgoingKind::Message => kept.say(next.text.into()).await,
            OutgoingKind::Answer { .. } => {
                last = Some(Bytes::from(next.text));
                break;
            }
        }
    }
    kept.finish(last);
    session.stream_is_over(kept.number());
}

/// Hands on what the server says by itself, until the session ends.
async fn tell(open: Arc<Open>) {
    let mut events = open.session.events();
    let unasked = open.unasked.clone();
    // It must not keep the session.
    drop(open);
    while let Some(message) = events.next().await {
        unasked.say(message.into()).await;
    }
    unasked.finish(None);
}

/// A stream whose name nobody knows yet: when its client leaves before that, nobody can come back for it.
struct Unnamed {
    session: InUse,
    kept: Arc<Kept>,
    named: bool,
}

impl Unnamed {
    /// Its client is told its name.
    fn tell(mut self) {
        self.named = true;
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        if !self.named {
            self.session.forget_stream(self.kept.number());
        }
    }
}

/// A reader, for which the session is kept.
struct Heard {
    reader: Reader,
    _session: InUse,
}

impl Source for Heard {
    fn poll_next(&mut self, cx: &mut std::task::Context<'_>) -> std::task::Poll<Option<Bytes>> {
        self.reader.poll_next(cx)
    }
}
