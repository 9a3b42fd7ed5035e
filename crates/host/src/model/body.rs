//! The bytes of an answer: a stream of events, or one piece of JSON.

use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_net::client::Body;
use codewhale_mcp_protocol::{SseDecoder, SseLimits};
use tokio::time::timeout;

use super::{Assembler, ModelAnswer, ModelError, Piece};

/// The most bytes of one answer.
const LIMIT: usize = 16 * 1024 * 1024;

/// The most bytes of one event.
const EVENT: usize = 8 * 1024 * 1024;

/// Reads a stream of events, telling of what is new as it comes.
pub(super) async fn events(
    mut body: Body,
    silence: Duration,
    mut tell: impl FnMut(&Piece) + Send,
) -> Result<ModelAnswer, ModelError> {
    let mut decoder = SseDecoder::new(SseLimits { line: EVENT, event: EVENT });
    let mut assembler = Assembler::default();
    let mut read = 0_usize;
    while let Some(chunk) = next(&mut body, silence).await? {
        read += chunk.len();
        if read > LIMIT {
            return Err(ModelError::TooLong { limit: LIMIT });
        }
        let mut rest = &chunk[..];
        let too_long = |_| ModelError::TooLong { limit: EVENT };
        while let Some(event) = decoder.next(&mut rest).map_err(too_long)? {
            assembler.take(&event.data)?.iter().for_each(&mut tell);
        }
    }
    assembler.finish()
}

/// Reads an answer in one piece.
pub(super) async fn whole(
    mut body: Body,
    silence: Duration,
    mut tell: impl FnMut(&Piece) + Send,
) -> Result<ModelAnswer, ModelError> {
    let bytes = collect(&mut body, silence, LIMIT).await?;
    let mut assembler = Assembler::default();
    assembler.take(&bytes)?.iter().for_each(&mut tell);
    assembler.finish()
}

/// All bytes.
pub(super) async fn collect(body: &mut Body, silence: Duration, limit: usize) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = next(body, silence).await? {
        if bytes.len() + chunk.len() > limit {
            return Err(ModelError::TooLong { limit });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

async fn next(body: &mut Body, silence: Duration) -> Result<Option<Bytes>, ModelError> {
    let chunk = std::future::poll_fn(|context| body.poll_chunk(context));
    match timeout(silence, chunk).await {
        Ok(Some(Ok(chunk))) => Ok(Some(chunk)),
        Ok(None) => Ok(None),
        // What came before is no answer, whatever it was that ended it.
        Ok(Some(Err(_))) => Err(ModelError::Cut),
        Err(_) => Err(ModelError::Stalled { after: silence }),
    }
}
