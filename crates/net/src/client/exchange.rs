//! One request, on a connection that is there or is made for it.

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::time::Duration;

use http::response::Parts;
use http::{HeaderMap, HeaderValue, Request, Response, Uri, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;

use super::body::Body;
use super::destination::Destination;
use super::egress::Egress;
use super::held::Held;
use super::http1::{Ask, Http1};
use super::pool::Found;
use super::{failure, headers, http2};
use crate::{Call, NetError, Route};

/// No further request comes on this connection.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// How long a connection is waited for before one that gets free is as good. Whoever takes another's leaves them without
/// one, so that too many are made.
const LONG: Duration = Duration::from_secs(1);

/// The head of an answer, and its body as it comes.
pub(super) type Answer = (Parts, Body);

impl Egress {
    /// One exchange, which the guard permits, with these headers in the place of the call's.
    #[expect(clippy::manual_async_fn, reason = "an `async fn` holds room for its headers twice")]
    pub(super) fn exchange<'a>(
        &'a self,
        call: &'a Call,
        mut headers: HeaderMap,
    ) -> impl Future<Output = Result<Answer, NetError>> + use<'a> {
        async move {
            let to = self.known.judge(&call.url, &self.guard, self.purpose, &self.pool)?;
            if let (Route::Through(proxy), true) = (to.permit.route(), to.is_asked_of_a_proxy()) {
                headers::authorize_at(proxy, &mut headers);
                // Not every proxy says that it closes, and a request that goes out meanwhile may have been carried
                // out.
                headers.insert(header::CONNECTION, CLOSE);
            }
            loop {
                let (found, used) = self.connection(&to).await?;
                let error = match found {
                    Found::Own(mut held) => {
                        headers.entry(header::HOST).or_insert_with(|| to.host.clone());
                        let request = request(call, &to.target, &mut headers);
                        let Some(answer) = held.ask(request) else { return Err(failure::closed()) };
                        let mut answer = pin!(answer);
                        let answered =
                            poll_fn(|context| held.drive(context, |context| answer.as_mut().poll(context)));
                        match answered.await.ok_or_else(failure::closed)? {
                            Ok(answer) => return Ok(parts(answer, Some(held))),
                            Err(error) => error,
                        }
                    }
                    Found::Shared(mut sender) => {
                        let request = request(call, &to.whole, &mut headers);
                        let answer = Box::pin(self.unless_closed(sender.try_send_request(request)));
                        match answer.await? {
                            Ok(answer) => return Ok(parts(answer, None)),
                            Err(error) => error,
                        }
                    }
                };
                headers = retry(error, used)?;
            }
        }
    }

    /// A connection, and whether it was used before.
    async fn connection(&self, to: &Destination) -> Result<(Found, bool), NetError> {
        loop {
            if self.pool.is_closed() {
                return Err(failure::closed());
            }
            let found = match self.pool.find(to.place) {
                Some(found) => found,
                // Most requests need none of this, and would carry its room.
                None => match Box::pin(self.made_or_freed(to)).await? {
                    (made, false) => return Ok((made, false)),
                    (freed, true) => freed,
                },
            };
            // A connection whose end has come meanwhile is noticed before a request leaves on it, and is lost with it.
            let is_fresh = match &found {
                Found::Own(held) => held.is_fresh().await,
                Found::Shared(sender) => {
                    tokio::task::yield_now().await;
                    !sender.is_closed()
                }
            };
            if is_fresh {
                return Ok((found, true));
            }
        }
    }

    /// A new connection, or one that gets free before it is made; which of the two.
    async fn made_or_freed(&self, to: &Destination) -> Result<(Found, bool), NetError> {
        tokio::select! {
            biased;
            made = self.unless_closed(self.open(to)) => Ok((made??, false)),
            freed = self.freed(to.place) => Ok((freed?, true)),
        }
    }

    /// A connection that gets free, while it takes long to make one.
    async fn freed(&self, place: usize) -> Result<Found, NetError> {
        tokio::time::sleep(LONG).await;
        match self.pool.find_or_wait(place) {
            Ok(found) => Ok(found),
            Err(mut waiting) => waiting.given().await.ok_or_else(failure::closed),
        }
    }

    /// Makes a connection.
    async fn open(&self, to: &Destination) -> Result<Found, NetError> {
        let line = self.connector.connect(&to.permit).await?;
        if line.h2 {
            let sender = http2::begin(line.stream, &self.pool.tasks).await;
            let sender = sender.map_err(|error| failure::of_exchange(&error))?;
            return Ok(Found::Shared(self.pool.share(to.place, sender)));
        }
        let connection = Http1::new(line.stream).await.map_err(|error| failure::of_exchange(&error))?;
        self.pool.add(to.place, connection).map(Found::Own).ok_or_else(failure::closed)
    }
}

fn parts(answer: Response<Incoming>, held: Option<Held>) -> Answer {
    let (parts, incoming) = answer.into_parts();
    (parts, Body::new(incoming, held))
}

/// The request of a call. It takes the headers with it.
fn request(call: &Call, target: &Uri, headers: &mut HeaderMap) -> Ask {
    let mut request = Request::new(Full::new(call.body.clone()));
    *request.method_mut() = call.method.clone();
    *request.uri_mut() = target.clone();
    *request.headers_mut() = mem::take(headers);
    request
}

/// The headers of a request that may leave on another connection: nothing of it has left on this one, which was used
/// before.
fn retry(mut error: TrySendError<Ask>, used: bool) -> Result<HeaderMap, NetError> {
    match error.take_message().filter(|_| used) {
        Some(request) => Ok(request.into_parts().0.headers),
        None => Err(failure::of_exchange(&error.into_error())),
    }
}
