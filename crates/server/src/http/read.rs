//! The body of a request, whole, within a size and a time, and not too many of them at once.

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::options::Limits;
use super::refusal::Refusal;

/// Bytes of one place in [`Reading`].
const PLACE: usize = 1024;

/// Reads bodies.
#[derive(Debug)]
pub(super) struct Reading {
    limit: usize,
    time: Duration,
    /// For all that are being read.
    places: Semaphore,
}

impl Reading {
    pub(super) fn new(limits: &Limits, time: Duration) -> Self {
        // One that is as long as it may be always finds room when it is alone.
        let places = limits.bodies.max(limits.body).div_ceil(PLACE);
        Self { limit: limits.body, time, places: Semaphore::new(places.min(Semaphore::MAX_PERMITS)) }
    }

    /// Reads a body to its end.
    pub(super) async fn whole<B>(&self, headers: &HeaderMap, body: B) -> Result<Bytes, Refusal>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let told = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        let most = told.map_or(self.limit, |told| usize::try_from(told).unwrap_or(usize::MAX));
        if most > self.limit {
            return Err(self.too_large());
        }
        let places = u32::try_from(most.div_ceil(PLACE)).unwrap_or(u32::MAX);
        let read = async {
            let _places = self.places.acquire_many(places).await.expect("it is never closed");
            Limited::new(body, self.limit).collect().await
        };
        match timeout(self.time, read).await {
            Ok(Ok(collected)) => Ok(collected.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(self.too_large()),
            Ok(Err(_)) => Err(Refusal::new(StatusCode::BAD_REQUEST, "the body broke off")),
            Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")),
        }
    }

    fn too_large(&self) -> Refusal {
        let message = format!("a message has at most {} bytes here", self.limit);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }
}
