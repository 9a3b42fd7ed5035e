//! The body of a request, whole, within a size and a time, and not too many of them at once.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::options::Limits;
use super::refusal::Refusal;

/// Bytes of one place in [`Reading`].
const PLACE: usize = 1024;
/// Bytes of a body that need no place, so that small messages come through whatever large ones do.
const SMALL: usize = 64 << 10;
/// How long the next piece of a body may take.
const PIECE: Duration = Duration::from_secs(10);

/// Reads bodies.
#[derive(Debug)]
pub(super) struct Reading {
    limit: usize,
    time: Duration,
    /// For all that has come of bodies that are being read.
    places: Semaphore,
}

impl Reading {
    pub(super) fn new(limits: &Limits, time: Duration) -> Self {
        // One that is as long as it may be always finds room when it is alone.
        let places = limits.bodies.max(limits.body).div_ceil(PLACE);
        Self { limit: limits.body, time, places: Semaphore::new(places.min(Semaphore::MAX_PERMITS)) }
    }

    /// Reads a body to its end. What has come takes room, and what is only announced takes none.
    pub(super) async fn whole<B>(&self, headers: &HeaderMap, body: B) -> Result<Bytes, Refusal>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let told = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if told.is_some_and(|told| told > self.limit as u64) {
            return Err(self.too_large());
        }
        let end = Instant::now() + self.time;
        let mut body = pin!(body);
        let mut places = self.places.try_acquire_many(0).ok();
        let mut held = 0;
        let mut come = Come::default();
        loop {
            let next = timeout_at(end.min(Instant::now() + PIECE), body.frame()).await;
            let frame = match next {
                Ok(None) => return Ok(come.whole()),
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(_))) => {
                    return Err(Refusal::new(StatusCode::BAD_REQUEST, "the body broke off"));
                }
                Err(_) => {
                    return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"));
                }
            };
            let Ok(piece) = frame.into_data() else { continue };
            let length = come.len() + piece.len();
            if length > self.limit {
                return Err(self.too_large());
            }
            let needed = length.saturating_sub(SMALL).div_ceil(PLACE);
            if needed > held {
                let more = u32::try_from(needed - held).ok();
                let more = more.and_then(|more| self.places.try_acquire_many(more).ok());
                let (Some(places), Some(more)) = (&mut places, more) else {
                    let message = "too much is being read at the moment";
                    return Err(Refusal::busy(StatusCode::SERVICE_UNAVAILABLE, message));
                };
                places.merge(more);
                held = needed;
            }
            come.add(piece);
        }
    }

    fn too_large(&self) -> Refusal {
        let message = format!("a message has at most {} bytes here", self.limit);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }
}

/// What has come of a body; one piece alone is not copied.
#[derive(Default)]
struct Come {
    first: Bytes,
    all: Vec<u8>,
}

impl Come {
    fn len(&self) -> usize {
        self.first.len() + self.all.len()
    }

    fn add(&mut self, piece: Bytes) {
        if self.len() == 0 {
            self.first = piece;
            return;
        }
        if !self.first.is_empty() {
            self.all.extend_from_slice(&std::mem::take(&mut self.first));
        }
        self.all.extend_from_slice(&piece);
    }

    fn whole(self) -> Bytes {
        if self.all.is_empty() { self.first } else { self.all.into() }
    }
}
