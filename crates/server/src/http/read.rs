//! The body of a request, whole, within a size and a time.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header::CONTENT_LENGTH};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::refusal::Refusal;

/// Reads a body to its end.
pub(super) async fn whole<B>(
    headers: &HeaderMap,
    body: B,
    limit: usize,
    time: Duration,
) -> Result<Bytes, Refusal>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let too_large =
        || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a message has at most {limit} bytes here"));
    let told = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|told| told > limit as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(time, Limited::new(body, limit).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::new(StatusCode::BAD_REQUEST, "the body broke off")),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")),
    }
}
