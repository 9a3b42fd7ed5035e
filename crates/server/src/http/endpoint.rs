//! One endpoint for both eras: who may ask, in what form, and what a message is for.
//!
//! ```text
//!   host, origin ─▶ token ─▶ method ─┬─ POST ─▶ types ─▶ room ─▶ body ─▶ message ─┬─ modern: headers = body, exchange
//!                                    │                                            └─ legacy: session, exchange
//!                                    ├─ GET    ─▶ session ─▶ what the server says by itself, or the rest of a stream
//!                                    └─ DELETE ─▶ session ─▶ its end
//! ```

use std::sync::Arc;

use bytes::Bytes;
use codewhale_mcp_protocol::header::PROTOCOL_VERSION;
use codewhale_mcp_protocol::{Era, Revision, SentHeader, method};
use codewhale_mcp_redact::Secret;
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use tokio::sync::Semaphore;

use super::authorize::{Denied, Principal};
use super::body::Body;
use super::media::{EVENT_STREAM, JSON, brings_json, takes};
use super::options::{Legacy, Options, ResourceMetadata};
use super::read::Reading;
use super::refusal::Refusal;
use super::sessions::Sessions;
use super::{mirrored, names};
use crate::{Facts, Incoming, IncomingKind, Server, incoming};

/// What every request to the endpoint meets.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) server: Server,
    pub(super) options: Options,
    pub(super) sessions: Arc<Sessions>,
    pub(super) in_flight: Arc<Semaphore>,
    pub(super) listens: Arc<Semaphore>,
    reading: Reading,
}

/// Whoever asks, after they were found to be allowed to.
#[derive(Debug, Clone, Default)]
pub(super) struct Asker {
    pub(super) principal: Option<Principal>,
    had_token: bool,
}

impl Asker {
    /// What handlers are told of them.
    pub(super) fn facts(&self) -> Facts {
        let facts = Facts::new();
        match &self.principal {
            Some(Principal(name)) => facts.with_principal(name.as_str()),
            None => facts,
        }
    }
}

impl Endpoint {
    pub(super) fn new(server: Server, options: Options) -> Arc<Self> {
        let limits = &options.limits;
        Arc::new(Self {
            sessions: Sessions::new(&options),
            in_flight: Arc::new(Semaphore::new(limits.in_flight)),
            listens: Arc::new(Semaphore::new(limits.listens)),
            reading: Reading::new(limits, options.times.body),
            server,
            options,
        })
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// Ends what would never end by itself. Requests that are under way come to their end.
    pub(super) fn close(&self) {
        self.server.end();
        self.sessions.hush();
    }

    /// Answers a request whose path has to be that of the endpoint.
    pub(super) async fn answer_at_its_path<B>(self: &Arc<Self>, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if let Some(response) = self.answer_about_it(&request) {
            return response;
        }
        if request.uri().path() != self.options.path {
            return Refusal::new(StatusCode::NOT_FOUND, "there is no endpoint at this path").answer(None);
        }
        self.answer(request).await
    }

    /// Answers a request for what clients are told of this server before they have a token.
    pub(super) fn answer_about_it<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        let resource = self.options.served_resource()?;
        if request.uri().path() != resource.path() {
            return None;
        }
        let ours = self.admit_name(request.uri(), request.headers());
        Some(ours.map_or_else(|refusal| refusal.answer(None), |()| resource.answer(request.method())))
    }

    /// Answers a request.
    pub(super) async fn answer<B>(self: &Arc<Self>, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let done = async {
            let asker = self.admit(&parts).await?;
            match parts.method {
                Method::POST => self.post(&parts, body, asker).await,
                Method::GET if self.has_sessions(&parts.headers) => self.get(&parts.headers, &asker),
                Method::DELETE if self.has_sessions(&parts.headers) => self.delete(&parts.headers, &asker),
                _ => Err(Refusal::method(if self.has_sessions(&parts.headers) {
                    "POST, GET, DELETE"
                } else {
                    "POST"
                })),
            }
        };
        done.await.unwrap_or_else(|refusal| refusal.answer(None))
    }

    fn serves_legacy(&self) -> bool {
        let speaks = |revision: &Revision| revision.era() == Era::Legacy;
        self.options.legacy == Legacy::Sessions && self.server.revisions().iter().any(speaks)
    }

    /// Whether there can be a session here; a client that says it speaks the modern era has none.
    fn has_sessions(&self, headers: &HeaderMap) -> bool {
        self.serves_legacy() && era_of(headers) != Some(Era::Modern)
    }

    /// Whether the server is asked by a name of its own, and no page asks that may not.
    fn admit_name(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        if !names::host_is_ours(&self.options, uri, headers) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "this server is not asked by that name"));
        }
        if !names::origin_is_allowed(&self.options, headers) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, "pages of this origin may not ask"));
        }
        Ok(())
    }

    /// Who asks, if they may.
    async fn admit(&self, parts: &Parts) -> Result<Asker, Refusal> {
        self.admit_name(&parts.uri, &parts.headers)?;
        let Some(authorization) = &self.options.authorize else { return Ok(Asker::default()) };
        let token = bearer(&parts.headers);
        let had_token = token.is_some();
        match authorization.judge.authenticate(token.as_ref()).await {
            Ok(principal) => Ok(Asker { principal: Some(principal), had_token }),
            Err(denied) => Err(self.refused(&denied, had_token)),
        }
    }

    fn refused(&self, denied: &Denied, had_token: bool) -> Refusal {
        let authorization = self.options.authorize.as_ref();
        let metadata = authorization.and_then(|authorization| authorization.resource_metadata.as_ref());
        let metadata = metadata.map(ResourceMetadata::address);
        let status = match denied {
            Denied::Unauthorized { .. } => StatusCode::UNAUTHORIZED,
            Denied::InsufficientScope { .. } => StatusCode::FORBIDDEN,
        };
        Refusal::denied(status, &denied.challenge(metadata, had_token))
    }

    async fn post<B>(
        self: &Arc<Self>,
        parts: &Parts,
        body: B,
        asker: Asker,
    ) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let headers = &parts.headers;
        if !brings_json(headers) {
            let message = format!("a message is of type {JSON}");
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        if !takes(headers, JSON) || !takes(headers, EVENT_STREAM) {
            let message = format!("an answer is of type {JSON} or {EVENT_STREAM}, and both have to be taken");
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, message));
        }
        let text = self.reading.whole(headers, body).await?;
        let message = match Incoming::parse(&text) {
            Ok(message) => message,
            Err(unreadable) => {
                return Ok(super::refusal::json(StatusCode::BAD_REQUEST, unreadable.answer()));
            }
        };
        if !self.serves_legacy() && message.method() == Some(method::INITIALIZE) && !message.is_modern() {
            return Ok(super::legacy::refuse_session(&self.server, &message));
        }
        let answered = match self.speaks_modern(headers, &message) {
            true => self.post_modern(headers, &message, asker).await,
            false => self.post_legacy(headers, &message, asker).await,
        };
        // From here on a refusal has an id.
        Ok(answered.unwrap_or_else(|refusal| refusal.answer(Some(&message))))
    }

    /// Which era a message belongs to. What belongs to neither is told what it lacks for the modern one.
    fn speaks_modern(&self, headers: &HeaderMap, message: &Incoming<'_>) -> bool {
        if message.is_modern() || !self.serves_legacy() {
            return true;
        }
        match era_of(headers) {
            Some(era) => era == Era::Modern,
            None if mirrored::sent(headers, PROTOCOL_VERSION).is_some() => true,
            None => !super::legacy::is_for_a_session(headers, message),
        }
    }

    /// Whether the asker may do this, and of a batch each of it.
    pub(super) async fn allow(&self, asker: &Asker, message: &Incoming<'_>) -> Result<(), Refusal> {
        let incoming::Body::Batch(elements) = &message.body else { return self.judge(asker, message).await };
        for element in elements {
            if let Ok(one) = Incoming::parse(element.get().as_bytes()) {
                self.judge(asker, &one).await?;
            }
        }
        Ok(())
    }

    async fn judge(&self, asker: &Asker, message: &Incoming<'_>) -> Result<(), Refusal> {
        let (Some(authorization), Some(principal)) = (&self.options.authorize, &asker.principal) else {
            return Ok(());
        };
        let (Some(method), IncomingKind::Request) = (message.method(), message.kind()) else { return Ok(()) };
        let allowed = authorization.judge.allow(principal, method, message.routing_name().as_deref()).await;
        allowed.map_err(|denied| self.refused(&denied, asker.had_token))
    }
}

/// The era of the revision that a request names in its head.
pub(super) fn era_of(headers: &HeaderMap) -> Option<Era> {
    match mirrored::sent(headers, PROTOCOL_VERSION)? {
        SentHeader::Text(version) => Revision::parse(version).map(Revision::era),
        SentHeader::Unreadable => None,
    }
}

/// The token of a request, in the one form that it may have.
fn bearer(headers: &HeaderMap) -> Option<Secret<String>> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Secret::new(token.trim().to_owned()))
}
