//! Answers that hold no answer: what is read of them, what is shown, and what they say about their request.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use codewhale_mcp_protocol::{ErrorObject, Message as Parsed};
use codewhale_mcp_redact::safe_line;
use codewhale_mcp_session::{Ticket, Unanswered};
use codewhale_mcp_transport::{Body, Frames, Media};

use crate::lane::ExchangeFault;

/// How much of a body that holds no answer is read, and how much of it is shown.
const READ: usize = 64 << 10;
const SHOWN: usize = 300;
/// How long such a body, and the rest of a stream after the answer, may take.
const REST: Duration = Duration::from_secs(1);
/// The most messages behind an answer that are read so that its connection can be used again.
const BEHIND: usize = 16;

/// The beginning of a body. One that breaks off or has no end says no more than that.
pub(super) async fn beginning(body: &mut dyn Body) -> Bytes {
    let mut bytes = BytesMut::new();
    let reading = async {
        while bytes.len() < READ
            && let Some(Ok(chunk)) = poll_fn(|context| body.poll_chunk(context)).await
        {
            bytes.extend_from_slice(&chunk);
        }
    };
    let _ = tokio::time::timeout(REST, reading).await;
    bytes.freeze()
}

/// Reads a body of which nothing is expected, in the background, so that its connection can be used again.
pub(super) fn leave(mut body: Box<dyn Body>) {
    tokio::spawn(async move { beginning(&mut *body).await });
}

/// Reads a stream to its end behind the answer, in the background if the end is not there yet.
pub(super) async fn finish(mut frames: Frames) {
    {
        let mut next = pin!(frames.next());
        let end = poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
        if !matches!(end, Poll::Pending) {
            return;
        }
    }
    tokio::spawn(tokio::time::timeout(REST, async move {
        // What comes after the answer belongs to nobody.
        for _ in 0..BEHIND {
            if !matches!(frames.next().await, Ok(Some(_))) {
                return;
            }
        }
    }));
}

/// The error in the body of a refusal, and the answer to the request that it is: one that names the request, and one
/// that only a modern server gives, who may not have got as far as the id.
pub(super) fn error_in(body: &[u8], ticket: Ticket) -> (Option<ErrorObject>, Option<Bytes>) {
    let Ok(Parsed::Error { id, error: text }) = Parsed::parse(body) else { return (None, None) };
    let Ok(error) = serde_json::from_str::<ErrorObject>(text.get()) else { return (None, None) };
    let names_it = id.is_some_and(|id| id.get().trim_matches('"') == ticket.id().to_string());
    let answer = (names_it || error.is_modern()).then(|| {
        format!(r#"{{"jsonrpc":"2.0","id":{},"error":{}}}"#, ticket.id(), text.get()).into_bytes().into()
    });
    (Some(error), answer)
}

/// A success that holds no messages.
pub(super) fn no_messages(status: u16, media: Media, body: &[u8]) -> ExchangeFault {
    if body.is_empty() {
        return nothing(status);
    }
    let media = match media {
        Media::Other(name) => safe_line(&name).into_owned(),
        _ => "that is not named".to_owned(),
    };
    ExchangeFault::NoMessages { media, body: excerpt(body) }
}

/// A success without a body.
pub(super) fn nothing(status: u16) -> ExchangeFault {
    refused(Unanswered { status, error: None, said: None })
}

/// What the last message of a body says that held no answer, if it is none of the usual ones: an error without an id
/// is about the only request there is.
pub(super) fn odd(status: u16, last: &[u8]) -> Option<ExchangeFault> {
    match Parsed::parse(last) {
        Ok(Parsed::Error { id: None, error }) => {
            let error = serde_json::from_str(error.get()).ok();
            Some(refused(Unanswered { status, error, said: None }))
        }
        Err(_) if !last.starts_with(b"[") => {
            Some(refused(Unanswered { status, error: None, said: excerpt(last) }))
        }
        Ok(_) | Err(_) => None,
    }
}

fn refused(found: Unanswered) -> ExchangeFault {
    ExchangeFault::Refused { found, retry_after: None }
}

/// The beginning of a body, in one line.
pub(super) fn excerpt(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(SHOWN).collect();
    (!cut.is_empty()).then(|| safe_line(&cut).into_owned())
}
