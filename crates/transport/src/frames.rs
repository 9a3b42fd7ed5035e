//! Messages in the body of an answer: one JSON text, or the events of a stream.

use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use codewhale_mcp_protocol::{SseDecoder, SseEvent, SseLimits};
use tokio::task::yield_now;

use crate::{Body, ExchangeError, Media};

/// So many bytes of a stream are read before others have their turn: a server that never stops talking would otherwise
/// hold up everything that runs beside it, deadlines too.
const TURN: usize = 256 << 10;

/// Reads the messages of one body, whatever its chunks are.
pub struct Frames {
    body: Box<dyn Body>,
    form: Form,
    limit: usize,
}

enum Form {
    /// The whole body is one message.
    Whole(Gathered),
    /// It was read.
    Read,
    /// Each event is one.
    Events {
        decoder: Box<SseDecoder>,
        rest: Bytes,
        /// How many bytes came since others had their turn.
        came: usize,
    },
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Frames {
    /// The messages of a body, each of which has at most `limit` bytes; the body back when its media type holds no
    /// messages.
    ///
    /// # Errors
    /// The body, when it is neither JSON nor an event stream.
    pub fn new(media: &Media, body: Box<dyn Body>, limit: usize) -> Result<Self, Box<dyn Body>> {
        let form = match media {
            Media::Json => Form::Whole(Gathered::default()),
            Media::EventStream => {
                let limits = SseLimits { line: limit.saturating_add(8), event: limit };
                Form::Events { decoder: Box::new(SseDecoder::new(limits)), rest: Bytes::new(), came: 0 }
            }
            Media::Other(_) | Media::Unnamed => return Err(body),
        };
        Ok(Self { body, form, limit })
    }

    /// The next message, `None` at the end of the body. Events that are no messages are left out.
    ///
    /// # Errors
    /// When the body breaks off or a message is too long. Nothing comes after that.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ExchangeError> {
        poll_fn(|context| self.poll_next(context)).await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, ExchangeError>> {
        if let Form::Whole(gathered) = &mut self.form {
            let body = ready!(gathered.poll(&mut *self.body, self.limit, context));
            self.form = Form::Read;
            return Poll::Ready(body.map(|body| (!body.is_empty()).then_some(body)));
        }
        while let Some(event) = ready!(self.poll_event(context))? {
            if event.event.as_deref().is_none_or(|name| name == "message") {
                return Poll::Ready(Ok(Some(event.data.into())));
            }
        }
        Poll::Ready(Ok(None))
    }

    /// The next event, `None` at the end of the body and for a body that is not an event stream.
    ///
    /// # Errors
    /// As for [`Self::next`].
    pub async fn next_event(&mut self) -> Result<Option<SseEvent>, ExchangeError> {
        poll_fn(|context| self.poll_event(context)).await
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<SseEvent>, ExchangeError>> {
        let Form::Events { decoder, rest, came } = &mut self.form else { return Poll::Ready(Ok(None)) };
        loop {
            let mut bytes = &rest[..];
            let event = decoder.next(&mut bytes).map_err(|_| too_long(self.limit));
            *rest = rest.slice(rest.len() - bytes.len()..);
            match event? {
                Some(event) => return Poll::Ready(Ok(Some(event))),
                None if *came >= TURN => {
                    *came = 0;
                    // The first look at it sees to it that this task comes back, after the others.
                    if pin!(yield_now()).poll(context).is_pending() {
                        return Poll::Pending;
                    }
                }
                None => match ready!(self.body.poll_chunk(context)).transpose()? {
                    Some(bytes) => {
                        *came += bytes.len();
                        *rest = bytes;
                    }
                    None => return Poll::Ready(Ok(None)),
                },
            }
        }
    }

    /// The body, of which nothing more is expected.
    #[must_use]
    pub fn into_body(self) -> Box<dyn Body> {
        self.body
    }

    /// The last id of the events that ended, to go on from there (`Last-Event-ID`).
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        match &self.form {
            Form::Whole(_) | Form::Read => None,
            Form::Events { decoder, .. } => decoder.last_event_id().filter(|id| !id.is_empty()),
        }
    }

    /// How long the server wants a client to wait before it comes back.
    #[must_use]
    pub fn retry(&self) -> Option<Duration> {
        match &self.form {
            Form::Whole(_) | Form::Read => None,
            Form::Events { decoder, .. } => decoder.retry(),
        }
    }
}

/// A whole body.
///
/// # Errors
/// When it breaks off or has more than `limit` bytes.
pub async fn whole(body: &mut dyn Body, limit: usize) -> Result<Bytes, ExchangeError> {
    let mut gathered = Gathered::default();
    poll_fn(|context| gathered.poll(body, limit, context)).await
}

/// What has come of a whole body. Most come in one piece, which is not copied.
#[derive(Default)]
struct Gathered {
    first: Bytes,
    /// All of them, once there are two.
    all: BytesMut,
}

impl Gathered {
    fn poll(
        &mut self,
        body: &mut dyn Body,
        limit: usize,
        context: &mut Context<'_>,
    ) -> Poll<Result<Bytes, ExchangeError>> {
        while let Some(chunk) = ready!(body.poll_chunk(context)).transpose()? {
            if self.first.len() + self.all.len() + chunk.len() > limit {
                return Poll::Ready(Err(ExchangeError::TooLong { what: "body", limit }));
            }
            self.push(chunk);
        }
        let Self { first, all } = mem::take(self);
        Poll::Ready(Ok(if all.is_empty() { first } else { all.freeze() }))
    }

    fn push(&mut self, chunk: Bytes) {
        if self.first.is_empty() && self.all.is_empty() {
            self.first = chunk;
            return;
        }
        let first = mem::take(&mut self.first);
        if !first.is_empty() {
            self.all = BytesMut::with_capacity(2 * (first.len() + chunk.len()));
            self.all.extend_from_slice(&first);
        }
        self.all.extend_from_slice(&chunk);
    }
}

fn too_long(limit: usize) -> ExchangeError {
    ExchangeError::TooLong { what: "event", limit }
}
