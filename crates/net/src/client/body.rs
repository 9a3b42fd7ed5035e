//! The body of an answer, on its way.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use bytes::Bytes;
use hyper::body::{Body as _, Incoming};

use super::failure;
use super::held::Held;
use super::inflate::Inflate;
use crate::NetError;

/// How much of a body that nobody wants is taken so that its connection can be used again.
const LEFT: usize = 64 << 10;

/// The body of an answer. What was compressed comes as it was before. Dropping it before its end ends the exchange.
pub struct Body {
    incoming: Option<Incoming>,
    /// What it comes on. It is free for another exchange as soon as the end is there.
    held: Option<Held>,
    inflate: Option<Box<Inflate>>,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

impl Body {
    pub(super) fn new(incoming: Incoming, held: Option<Held>) -> Self {
        let mut body = Self { incoming: Some(incoming), held, inflate: None };
        body.finish_at_end();
        body
    }

    /// The same as it was before it was compressed.
    pub(super) fn inflated(mut self, inflate: Option<Inflate>) -> Self {
        self.inflate = inflate.map(Box::new);
        self
    }

    /// The next bytes, never empty, `None` at the end. An error is the last thing that comes.
    ///
    /// # Errors
    /// [`NetError::Broken`].
    pub fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, NetError>>> {
        let next = match self.inflate {
            None => ready!(self.poll_incoming(context)),
            Some(_) => ready!(self.poll_inflated(context)),
        };
        if !matches!(next, Some(Ok(_))) {
            (self.incoming, self.held) = (None, None);
        }
        Poll::Ready(next)
    }

    fn poll_inflated(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, NetError>>> {
        loop {
            let Some(inflate) = &mut self.inflate else { return Poll::Ready(None) };
            match inflate.pull() {
                Ok(Some(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                Err(reason) => return Poll::Ready(Some(Err(broken(reason)))),
                Ok(None) => {}
            }
            let whole = inflate.is_whole();
            match ready!(self.poll_incoming(context)) {
                Some(Ok(chunk)) => self.inflate.as_mut().expect("it was there").push(chunk),
                None if !whole => return Poll::Ready(Some(Err(broken("its compressed data has no end")))),
                end => return Poll::Ready(end),
            }
        }
    }

    fn poll_incoming(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, NetError>>> {
        let Some(incoming) = &mut self.incoming else { return Poll::Ready(None) };
        loop {
            let frame = match &self.held {
                None => ready!(Pin::new(&mut *incoming).poll_frame(context)),
                Some(held) => {
                    let poll = |context: &mut Context<'_>| Pin::new(&mut *incoming).poll_frame(context);
                    let Some(frame) = ready!(held.drive(context, poll)) else {
                        return Poll::Ready(Some(Err(failure::closed())));
                    };
                    frame
                }
            };
            match frame {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if !data.is_empty() => {
                        self.finish_at_end();
                        return Poll::Ready(Some(Ok(data)));
                    }
                    _ => {}
                },
                Some(Err(error)) => return Poll::Ready(Some(Err(failure::of_body(&error)))),
                None => {
                    self.finish();
                    return Poll::Ready(None);
                }
            }
        }
    }

    fn finish_at_end(&mut self) {
        if self.incoming.as_ref().is_some_and(Incoming::is_end_stream) {
            self.finish();
        }
    }

    fn finish(&mut self) {
        self.incoming = None;
        if let Some(held) = self.held.take() {
            held.finish();
        }
    }
}

impl Drop for Body {
    /// When the end has come already, the connection is free. It is not waited for.
    fn drop(&mut self) {
        let mut left = LEFT;
        while self.held.is_some()
            && let Poll::Ready(Some(Ok(chunk))) = self.poll_incoming(&mut Context::from_waker(Waker::noop()))
            && chunk.len() <= left
        {
            left -= chunk.len();
        }
    }
}

fn broken(reason: &str) -> NetError {
    NetError::Broken { reason: format!("of the body, {reason}") }
}
