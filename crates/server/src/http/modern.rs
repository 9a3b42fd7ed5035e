//! Messages of the modern era: each stands alone, says in its head what it says in its body, and ends with its exchange
//! (MCP 2026-07-28, basic/transports/streamable-http).

use std::task::{Context, Poll, ready};

use bytes::Bytes;
use codewhale_mcp_protocol::{code, method};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::body::{Body, Source};
use super::endpoint::{Asker, Endpoint};
use super::media::EVENT_STREAM;
use super::refusal::{Refusal, empty, json};
use super::{event, mirrored};
use crate::{Exchange, Incoming, IncomingKind, Outgoing, OutgoingKind};

/// What asks nginx and others to pass on each piece of a stream when it comes.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

impl Endpoint {
    pub(super) async fn post_modern(
        &self,
        headers: &HeaderMap,
        message: &Incoming<'_>,
        asker: Asker,
    ) -> Result<Response<Body>, Refusal> {
        match message.kind() {
            IncomingKind::Request => {}
            // None of them has a meaning over HTTP.
            IncomingKind::Notification => return Ok(empty(StatusCode::ACCEPTED)),
            IncomingKind::Response | IncomingKind::Batch => {
                return Err(Refusal::new(
                    StatusCode::BAD_REQUEST,
                    "a message is a request or a notification",
                ));
            }
        }
        mirrored::check_standard(headers, message).map_err(Refusal::mismatch)?;
        if message.method() == Some(method::TOOLS_CALL)
            && let Some(name) = message.routing_name()
            && let Some(mirrored) = self.server.tool_headers(&name)
        {
            mirrored::check_arguments(headers, &mirrored, message).map_err(Refusal::mismatch)?;
        }
        self.allow(&asker, message).await?;
        let room = if message.method() == Some(method::LISTEN) { &self.listens } else { &self.in_flight };
        let busy = || Refusal::busy(StatusCode::SERVICE_UNAVAILABLE, "too much is going on at the moment");
        let place = room.clone().try_acquire_owned().map_err(|_| busy())?;
        let mut exchange = self.server.exchange(message, asker.facts());
        // Dropping this drops the exchange: so does a client that leaves.
        let first = match timeout(self.options.times.patience, exchange.next()).await {
            Ok(None) => return Ok(empty(StatusCode::ACCEPTED)),
            Ok(Some(Outgoing { text, kind: OutgoingKind::Answer { error } })) => {
                return Ok(json(status(error), text));
            }
            Ok(Some(Outgoing { text, kind: OutgoingKind::Message })) => Some(Bytes::from(text)),
            Err(_) => None,
        };
        Ok(stream(Carried { first, exchange, over: false, _place: place }, self.options.times.keep_alive))
    }
}

/// The status of an answer that is alone (MCP 2026-07-28, basic/index#error-codes).
fn status(error: Option<i64>) -> StatusCode {
    match error {
        Some(code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(
            code::PARSE_ERROR
            | code::INVALID_REQUEST
            | code::INVALID_PARAMS
            | code::HEADER_MISMATCH
            | code::MISSING_REQUIRED_CLIENT_CAPABILITY
            | code::UNSUPPORTED_PROTOCOL_VERSION,
        ) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// An answer that is a stream of events.
pub(super) fn stream(source: impl Source + 'static, keep_alive: std::time::Duration) -> Response<Body> {
    let mut response = Response::new(Body::stream(source, keep_alive));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

/// The messages of a request, which is worked on as fast as they are read.
struct Carried {
    first: Option<Bytes>,
    exchange: Exchange,
    over: bool,
    _place: OwnedSemaphorePermit,
}

impl Source for Carried {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(event::message(None, &first)));
        }
        if self.over {
            return Poll::Ready(None);
        }
        let next = ready!(self.exchange.poll_next(cx));
        self.over = !matches!(&next, Some(Outgoing { kind: OutgoingKind::Message, .. }));
        Poll::Ready(next.map(|next| event::message(None, &next.text)))
    }
}
