//! The body of an answer, on its way.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use hyper::body::{Body as _, Incoming};

use super::failure;
use super::inflate::Inflate;
use crate::NetError;

/// The body of an answer. What was compressed comes as it was before. Dropping it before its end ends the exchange.
pub struct Body {
    incoming: Option<Incoming>,
    inflate: Option<Box<Inflate>>,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

impl Body {
    pub(super) fn new(incoming: Incoming, inflate: Option<Inflate>) -> Self {
        Self { incoming: Some(incoming), inflate: inflate.map(Box::new) }
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
            self.incoming = None;
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
            match ready!(Pin::new(&mut *incoming).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if !data.is_empty() => return Poll::Ready(Some(Ok(data))),
                    _ => {}
                },
                Some(Err(error)) => return Poll::Ready(Some(Err(failure::of_body(&error)))),
                None => return Poll::Ready(None),
            }
        }
    }
}

fn broken(reason: &str) -> NetError {
    NetError::Broken { reason: format!("of the body, {reason}") }
}
