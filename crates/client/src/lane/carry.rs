//! One request and its exchange, until its answer is there.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{Message as Parsed, Revision};
use codewhale_mcp_session::{Ticket, Unanswered};
use codewhale_mcp_transport::{Answer, Body, ExchangeError, Frames, Media, whole};
use tokio::time::Instant;

use super::message::Message;
use super::pause::Pause;
use crate::lane::{ExchangeFault, Lane};
use crate::shared::Shared;

/// How much of a body that holds no answer is read, and how much of it is shown.
const READ: usize = 64 << 10;
const SHOWN: usize = 300;
/// A stream that was open for so long was of use.
const LONG: Duration = Duration::from_secs(1);
/// How long the rest of a stream is read after the answer, so that its connection can be used again.
const REST: Duration = Duration::from_secs(1);

/// Posts a request and hands every message that comes back to the connection, until the answer is among them.
pub(crate) async fn carry(shared: Arc<Shared>, ticket: Ticket, message: Message) {
    let lane = shared.lane().clone();
    if let Err(fault) = exchange(&shared, &lane, ticket, &message).await {
        shared.no_answer(ticket, fault);
    }
}

async fn exchange(
    shared: &Arc<Shared>,
    lane: &Lane,
    ticket: Ticket,
    message: &Message,
) -> Result<(), ExchangeFault> {
    if message.may_be_asked_back && shared.handlers.answer_anything() {
        lane.hears().await;
    }
    let (answer, session) = lane.post(message).await?;
    match answer.status {
        200..300 => {}
        404 if session.id.is_some() => return Err(ExchangeFault::SessionLost { renewal: None }),
        _ => return refused(shared, ticket, answer).await,
    }
    if message.opens_session {
        lane.adopt(answer.session.clone());
    }
    let status = answer.status;
    if lane.event_stream {
        // The answer comes on the stream; the body is read so that the connection can be used again.
        tokio::spawn(tokio::time::timeout(REST, async move {
            let mut body = answer.body;
            let _ = whole(&mut *body, READ).await;
        }));
        return Ok(());
    }
    let frames = match Frames::new(&answer.media, answer.body, lane.limit) {
        Ok(frames) => frames,
        Err(body) => return no_messages(shared, status, answer.media, body).await,
    };
    Reading { shared, lane, ticket, revision: shared.revision() }.all(frames, status, message.resumable).await
}

/// A request whose messages are read.
struct Reading<'a> {
    shared: &'a Arc<Shared>,
    lane: &'a Lane,
    ticket: Ticket,
    revision: Option<Revision>,
}

impl Reading<'_> {
    async fn all(self, mut frames: Frames, status: u16, resumable: bool) -> Result<(), ExchangeFault> {
        let mut pause = Pause::default();
        let mut last: Option<String> = None;
        let (mut begun, mut said_anything) = (Instant::now(), false);
        loop {
            let broken = match frames.next().await {
                Ok(Some(frame)) => {
                    said_anything = true;
                    pause.was_useful();
                    if !self.shared.take(Some(self.ticket), frame) {
                        finish(frames).await;
                        return Ok(());
                    }
                    continue;
                }
                Ok(None) => None,
                Err(error @ ExchangeError::TooLong { .. }) => return Err(error.into()),
                Err(error) => Some(error),
            };
            if let Some(id) = frames.last_event_id() {
                last = Some(id.to_owned());
            }
            let Some(last) = last.as_deref().filter(|_| resumable) else {
                return Err(match broken {
                    Some(error) => error.into(),
                    None if !said_anything && pause.taken() == 0 => nothing(status),
                    None => ExchangeFault::Lost { resumed: pause.taken() },
                });
            };
            if begun.elapsed() >= LONG {
                pause.was_useful();
            }
            frames = self.resume(last, &mut pause, frames.retry()).await?;
            begun = Instant::now();
        }
    }

    /// Asks for the rest of a stream (MCP 2025-11-25, basic/transports, "Resumability and Redelivery").
    async fn resume(
        &self,
        last: &str,
        pause: &mut Pause,
        retry: Option<Duration>,
    ) -> Result<Frames, ExchangeFault> {
        loop {
            let lost = ExchangeFault::Lost { resumed: pause.taken() };
            let Some(wait) = pause.next(retry) else { return Err(lost) };
            tokio::time::sleep(wait).await;
            match self.lane.get(self.revision, Some(last)).await {
                Ok(Answer { status: 200, media: Media::EventStream, body, .. }) => {
                    return Frames::new(&Media::EventStream, body, self.lane.limit).map_err(|_| lost);
                }
                Ok(Answer { status: 408 | 429 | 500.., .. })
                | Err(ExchangeError::Unreachable { .. } | ExchangeError::Broken(_)) => {}
                Ok(_) => return Err(lost),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Reads a stream to its end behind the answer, in the background if the end is not there yet.
async fn finish(mut frames: Frames) {
    {
        let mut next = pin!(frames.next());
        let end = poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
        if !matches!(end, Poll::Pending) {
            return;
        }
    }
    tokio::spawn(tokio::time::timeout(REST, async move {
        // What comes after the answer belongs to nobody.
        for _ in 0..16 {
            if !matches!(frames.next().await, Ok(Some(_))) {
                return;
            }
        }
    }));
}

/// A status that says no. An error in its body that names the request is the request's answer.
async fn refused(shared: &Arc<Shared>, ticket: Ticket, answer: Answer) -> Result<(), ExchangeFault> {
    let Answer { status, retry_after, challenges, mut body, .. } = answer;
    if status == 401 {
        return Err(ExchangeFault::LoginNeeded { challenges });
    }
    // A body that breaks off or has no end says nothing beside the status.
    let body = match tokio::time::timeout(REST, whole(&mut *body, READ)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) | Err(_) => Bytes::new(),
    };
    let (id, error) = match Parsed::parse(&body) {
        Ok(Parsed::Error { id, error }) => (id, serde_json::from_str(error.get()).ok()),
        _ => (None, None),
    };
    let names_it = id.is_some_and(|id| id.get().trim_matches('"') == ticket.id().to_string());
    if names_it && !shared.shakes_hands(ticket) && error.is_some() {
        shared.take(Some(ticket), body);
        return Ok(());
    }
    let said = if error.is_none() { excerpt(&body) } else { None };
    Err(ExchangeFault::Refused { found: Unanswered { status, error, said }, retry_after })
}

/// A success whose body holds no messages. Some legacy servers take a request so and answer it on their other stream.
async fn no_messages(
    shared: &Shared,
    status: u16,
    media: Media,
    mut body: Box<dyn Body>,
) -> Result<(), ExchangeFault> {
    let body = match tokio::time::timeout(REST, whole(&mut *body, READ)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) | Err(_) => Bytes::new(),
    };
    if body.is_empty() {
        return if status == 202 && shared.is_heard() { Ok(()) } else { Err(nothing(status)) };
    }
    let media = match media {
        Media::Other(name) => name,
        _ => "that is not named".to_owned(),
    };
    Err(ExchangeFault::NoMessages { media, body: excerpt(&body) })
}

fn nothing(status: u16) -> ExchangeFault {
    ExchangeFault::Refused { found: Unanswered { status, error: None, said: None }, retry_after: None }
}

/// The beginning of a body, in one line.
fn excerpt(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(SHOWN).collect();
    (!cut.is_empty()).then_some(cut)
}
