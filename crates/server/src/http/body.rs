//! Bodies of answers: a whole one, or a stream of events that shows signs of life.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::event;

/// What the events of a stream come from. Dropping it says that nobody reads any more.
pub(super) trait Source: Send {
    /// The next piece of the stream, or its end.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>>;
}

/// The body of an answer.
pub struct Body(Kind);

enum Kind {
    Whole(Option<Bytes>),
    Stream(Box<Stream>),
}

struct Stream {
    source: Box<dyn Source>,
    silence: Pin<Box<Sleep>>,
    keep_alive: Duration,
}

impl Body {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self(Kind::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    /// A stream with a comment after each silence of this length.
    pub(super) fn stream(source: impl Source + 'static, keep_alive: Duration) -> Self {
        let silence = Box::pin(sleep(keep_alive));
        Self(Kind::Stream(Box::new(Stream { source: Box::new(source), silence, keep_alive })))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match &mut self.get_mut().0 {
            Kind::Whole(bytes) => bytes.take(),
            Kind::Stream(stream) => ready!(stream.poll_piece(cx)),
        };
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Kind::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Kind::Stream(_) => SizeHint::default(),
        }
    }
}

impl Stream {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let piece = match self.source.poll_next(cx) {
            Poll::Ready(piece) => piece,
            Poll::Pending => {
                ready!(self.silence.as_mut().poll(cx));
                Some(event::COMMENT)
            }
        };
        self.silence.as_mut().reset(Instant::now() + self.keep_alive);
        Poll::Ready(piece)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Whole(_) => "Body(whole)",
            Kind::Stream(_) => "Body(stream)",
        })
    }
}
