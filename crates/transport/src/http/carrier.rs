//! One exchange after the other, or many at once.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_net::client::{self, Egress};
use codewhale_mcp_net::{Authorizer, Call, Redirects};
use codewhale_mcp_redact::safe_url;
use http::Method;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::headers::OfVerbs;
use super::{answer, failure};
use crate::{Answer, Body, Carrier, Exchange, ExchangeError, Media, Verb};

/// Carries exchanges to one URL.
#[derive(Clone)]
pub(super) struct HttpCarrier {
    pub(super) egress: Egress,
    pub(super) url: Url,
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

#[async_trait]
impl Carrier for HttpCarrier {
    async fn exchange(&self, exchange: Exchange) -> Result<Answer, ExchangeError> {
        let headers = self
            .headers
            .with(&exchange.verb, &exchange.headers)
            .map_err(|name| failure::no_header(&self.url, &name))?;
        let (method, body, is_stream) = match exchange.verb {
            Verb::Post(message) => (Method::POST, message, false),
            Verb::Get => (Method::GET, Bytes::new(), true),
            Verb::Delete => (Method::DELETE, Bytes::new(), false),
        };
        let place = if is_stream { None } else { Some(self.place().await?) };
        let call = Call { method, url: self.url.clone(), headers, body, redirects: Redirects::Same };
        let response = self.egress.send(call, self.authorizer.as_deref()).await;
        let client::Response { status, headers, body } =
            response.map_err(|error| failure::of_net(error, &self.url))?;
        let media = answer::media(&headers);
        // A stream can last, and what ends it may be another exchange.
        let place = place.filter(|_| media != Media::EventStream);
        Ok(Answer {
            status: status.as_u16(),
            media,
            session: answer::session(&headers),
            retry_after: answer::retry_after(&headers),
            challenges: answer::challenges(&headers),
            body: Box::new(HttpBody { body, _place: place }),
        })
    }
}

impl HttpCarrier {
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
