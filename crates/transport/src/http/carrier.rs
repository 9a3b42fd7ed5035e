//! One exchange after the other, or many at once.

use std::fmt;
use std::future::{Future, poll_fn, ready};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use codewhale_mcp_net::client::{self, Egress};
use codewhale_mcp_net::{Authorizer, Call, Redirects};
use codewhale_mcp_redact::safe_url;
use http::Method;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::headers::OfVerbs;
use super::{answer, failure};
use crate::{Answer, Body, Carrier, Exchange, ExchangeError, Exchanging, Media, Verb};

/// Carries exchanges to one URL.
#[derive(Clone)]
pub(super) struct HttpCarrier {
    pub(super) egress: Egress,
    pub(super) url: Arc<Url>,
    pub(super) headers: Arc<OfVerbs>,
    pub(super) authorizer: Option<Arc<dyn Authorizer>>,
    /// How many exchanges there may be besides.
    pub(super) room: Arc<Semaphore>,
}

impl fmt::Debug for HttpCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpCarrier").field("url", &safe_url(self.url.as_str())).finish_non_exhaustive()
    }
}

impl Carrier for HttpCarrier {
    fn exchange(&self, exchange: Exchange) -> Exchanging<'_> {
        let is_stream = exchange.verb == Verb::Get;
        match self.call(exchange) {
            // Boxed before it begins, so as small as it can be: all of its room is moved then.
            Ok(call) => Box::pin(self.send(call, is_stream)),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }
}

impl HttpCarrier {
    fn call(&self, exchange: Exchange) -> Result<Call, ExchangeError> {
        let headers = self
            .headers
            .with(&exchange.verb, exchange.headers)
            .map_err(|name| failure::no_header(&self.url, &name))?;
        let (method, body) = match exchange.verb {
            Verb::Post(message) => (Method::POST, message),
            Verb::Get => (Method::GET, Bytes::new()),
            Verb::Delete => (Method::DELETE, Bytes::new()),
        };
        Ok(Call { method, url: Arc::clone(&self.url), headers, body, redirects: Redirects::Same })
    }

    async fn send(&self, call: Call, is_stream: bool) -> Result<Answer, ExchangeError> {
        let place = if is_stream { None } else { Some(self.place().await?) };
        let response = self.egress.send(call, self.authorizer.as_deref()).await;
        let client::Response { status, headers, body } =
            response.map_err(|error| failure::of_net(error, &self.url))?;
        let media = answer::media(&headers);
        // A stream can last, and what ends it may be another exchange.
        let place = place.filter(|_| media != Media::EventStream);
        let is_refused = !status.is_success();
        Ok(Answer {
            status: status.as_u16(),
            media,
            session: answer::session(&headers),
            retry_after: if is_refused { answer::retry_after(&headers) } else { None },
            challenges: if is_refused { answer::challenges(&headers) } else { Vec::new() },
            body: Box::new(HttpBody { body, _place: place }),
        })
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, ExchangeError> {
        match Arc::clone(&self.room).try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) => Box::pin(self.next_place()).await,
        }
    }

    async fn next_place(&self) -> Result<OwnedSemaphorePermit, ExchangeError> {
        let mut closed = pin!(self.egress.closed());
        let mut place = pin!(Arc::clone(&self.room).acquire_owned());
        poll_fn(|context| match place.as_mut().poll(context) {
            Poll::Ready(place) => Poll::Ready(Ok(place.expect("nobody closes it"))),
            Poll::Pending => closed.as_mut().poll(context).map(|()| Err(failure::closed())),
        })
        .await
    }
}

/// A body, which holds its exchange's place.
struct HttpBody {
    body: client::Body,
    _place: Option<OwnedSemaphorePermit>,
}

impl Body for HttpBody {
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>> {
        self.body.poll_chunk(context).map(|next| next.map(|chunk| chunk.map_err(failure::of_body)))
    }
}
