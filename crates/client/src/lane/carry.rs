//! One request and its exchange, until its answer is there.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_session::{Ticket, Unanswered};
use codewhale_mcp_transport::{Answer, Body, ExchangeError, Frames, Media};
use tokio::time::Instant;

use super::endpoint::Session;
use super::message::Message;
use super::pause::Pause;
use super::unread::{beginning, error_in, excerpt, leave, no_messages, nothing, odd};
use crate::lane::{ExchangeFault, Lane};
use crate::shared::Shared;

/// A stream that was open for so long was of use.
const LONG: Duration = Duration::from_secs(1);

/// How often a message of the handshake goes out again.
const AGAIN: u32 = 2;

/// Posts a request and hands every message that comes back to the connection, until the answer is among them.
pub(crate) async fn carry(shared: Arc<Shared>, ticket: Ticket, message: Message) {
    if let Err(fault) = exchange(&shared, ticket, message).await {
        shared.no_answer(ticket, fault);
    }
}

/// The same for a message of the handshake. It changes nothing, so it goes out again when the server is busy, or has
/// closed a connection that it seemed to keep.
pub(crate) async fn carry_insistently(shared: Arc<Shared>, ticket: Ticket, message: Message) {
    let mut tries = 0;
    while let Err(fault) = exchange(&shared, ticket, message.clone()).await {
        match fault.pause().filter(|_| tries < AGAIN) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return shared.no_answer(ticket, fault),
        }
        tries += 1;
    }
}

async fn exchange(shared: &Arc<Shared>, ticket: Ticket, message: Message) -> Result<(), ExchangeFault> {
    let lane = &**shared.lane();
    let (opens_session, resumable) = (message.opens_session, message.resumable);
    let (posted, mut session) = lane.post(message);
    let answer = posted.await?;
    match answer.status {
        200..300 => {}
        404 if session.id.is_some() => return Err(ExchangeFault::SessionLost { renewal: None }),
        // What follows an answer that is none is kept apart: the others would carry its room.
        _ => return Box::pin(refused(shared, ticket, answer)).await,
    }
    let status = answer.status;
    if lane.event_stream {
        // The answer comes on the stream.
        leave(lane, answer.body);
        return Ok(());
    }
    if opens_session {
        session = lane.offer(answer.session);
    }
    let mut frames = match Frames::new(&answer.media, answer.body, lane.limit) {
        Ok(frames) => frames,
        Err(body) => {
            let may_be_elsewhere = status == 202 && resumable;
            return Box::pin(without_messages(shared, (status, answer.media), body, may_be_elsewhere)).await;
        }
    };
    // Most often the first message is the answer.
    let (said, next) = match frames.next().await {
        Ok(Some(frame)) => {
            let said = frame.clone();
            if !shared.take(Some(ticket), frame) {
                leave(lane, frames.into_body());
                return Ok(());
            }
            (Some(said), None)
        }
        end => (None, Some(end)),
    };
    let reading = Reading { shared, lane, session, ticket };
    Box::pin(reading.rest(frames, (said, next), status, resumable)).await
}

/// A success whose body holds no messages. Some legacy servers take a request so and answer it on their other stream.
async fn without_messages(
    shared: &Shared,
    (status, media): (u16, Media),
    mut body: Box<dyn Body>,
    may_be_elsewhere: bool,
) -> Result<(), ExchangeFault> {
    let body = beginning(&mut *body).await;
    if may_be_elsewhere && body.is_empty() {
        shared.lane().hears().await;
        if shared.is_heard() {
            return Ok(());
        }
    }
    Err(no_messages(status, media, &body))
}

/// A request whose messages are read.
struct Reading<'a> {
    shared: &'a Arc<Shared>,
    lane: &'a Lane,
    /// The one that it was posted in, or that it opens.
    session: Session,
    ticket: Ticket,
}

/// A message, the end of the body, or why there is none.
type Came = Result<Option<Bytes>, ExchangeError>;

impl Reading<'_> {
    /// Reads what follows a message that was not the answer, or deals with what came in its place.
    async fn rest(
        self,
        mut frames: Frames,
        (mut said, mut next): (Option<Bytes>, Option<Came>),
        status: u16,
        resumable: bool,
    ) -> Result<(), ExchangeFault> {
        let mut pause = Pause::default();
        let (mut last, mut retry, mut begun) = (None::<String>, None, Instant::now());
        loop {
            let came = match next.take() {
                Some(came) => came,
                None => frames.next().await,
            };
            let broken = match came {
                Ok(Some(frame)) => {
                    pause.was_useful();
                    said = Some(frame.clone());
                    if !self.shared.take(Some(self.ticket), frame) {
                        leave(self.lane, frames.into_body());
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
            retry = frames.retry().or(retry);
            let Some(last) = last.as_deref().filter(|_| resumable) else {
                return Err(match (broken, said) {
                    (Some(error), _) => error.into(),
                    (None, None) => nothing(status),
                    (None, Some(said)) => odd(status, &said).unwrap_or(ExchangeFault::Lost { resumed: 0 }),
                });
            };
            if begun.elapsed() >= LONG {
                pause.was_useful();
            }
            frames = Box::pin(self.resume(last, &mut pause, retry)).await?;
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
            match self.lane.get(&self.session, self.shared.revision(), Some(last)).await {
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

/// A status that says no. An error in its body that names the request is the request's answer.
async fn refused(shared: &Arc<Shared>, ticket: Ticket, answer: Answer) -> Result<(), ExchangeFault> {
    let Answer { status, retry_after, challenges, mut body, .. } = answer;
    if status == 401 {
        return Err(ExchangeFault::LoginNeeded { challenges });
    }
    let body = beginning(&mut *body).await;
    let (error, answer) = error_in(&body, ticket);
    if let Some(answer) = answer
        && !shared.shakes_hands(ticket)
    {
        shared.take(Some(ticket), answer);
        return Ok(());
    }
    let said = if error.is_none() { excerpt(&body) } else { None };
    Err(ExchangeFault::Refused { found: Unanswered { status, error, said }, retry_after })
}
