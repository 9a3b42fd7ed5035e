//! Answers that hold no answer: what is read of them, what is shown, and what they say about their request.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use codewhale_mcp_protocol::{ErrorObject, Message as Parsed};
use codewhale_mcp_redact::safe_line;
use codewhale_mcp_session::{Ticket, Unanswered};
use codewhale_mcp_transport::{Body, Media};

use crate::lane::{ExchangeFault, Lane};

/// How much of a body that holds no answer is read, and how much of it is shown.
const READ: usize = 64 << 10;
const SHOWN: usize = 300;
/// How long such a body, and the rest of a stream after the answer, may take.
const REST: Duration = Duration::from_secs(1);
/// The most of them that are read in the background, which is as many as a server that does not answer can have; the
/// connections of the others are closed.
pub(super) const UNREAD: usize = 256;

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

/// Lets go of a body of which nothing is expected. If its end is there its connection can be used again at once; if not,
/// it is read in the background for a while. A server whose bodies have no end holds few of them, and not for long.
pub(super) fn leave(lane: &Lane, mut body: Box<dyn Body>) {
    let mut context = Context::from_waker(Waker::noop());
    let mut left = READ;
    while let Poll::Ready(next) = body.poll_chunk(&mut context) {
        match next {
            Some(Ok(chunk)) if chunk.len() <= left => left -= chunk.len(),
            _ => return,
        }
    }
    if let Ok(place) = Arc::clone(&lane.unread).try_acquire_owned() {
        tokio::spawn(async move {
            beginning(&mut *body).await;
            drop((body, place));
        });
    }
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
