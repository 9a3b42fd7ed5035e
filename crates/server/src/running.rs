//! A request that is being answered: its handler, driven until there is an answer or nobody wants one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{self, Poll, Waker};

use codewhale_mcp_protocol::{ErrorObject, code, write_json};
use serde_json::value::RawValue;

use crate::context::{Asking, fingerprint, input_required};
use crate::incoming::Params;
use crate::outlet::Outlet;
use crate::{Context, Failure, Handling, Reply, Request, wire};

type Answering = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send>>;

/// A request that is being answered.
pub(crate) struct Running {
    id: Box<str>,
    context: Context,
    future: Answering,
    /// The request, where the client may have to send it again.
    again: Option<Again>,
}

/// What an answer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// A result.
    Result,
    /// An error with this code.
    Error(i64),
    /// Nothing: nobody wants an answer any more.
    Withdrawn,
}

/// How the answer to a request began.
pub(crate) enum Begun {
    /// It was written.
    Answered(Sent),
    /// It is not there yet.
    Later(Box<Running>),
}

/// Begins to answer a request; an answer that is there at once is written.
pub(crate) fn begin(
    id: &str,
    request: &Request<'_>,
    context: Context,
    out: &mut Vec<u8>,
    handle: impl FnOnce(&Request<'_>, Context) -> Handling,
) -> Begun {
    let handling = catch_unwind(AssertUnwindSafe(|| handle(request, context.clone())));
    let mut future = match handling.unwrap_or_else(|_| Handling::refused(panicked())) {
        Handling::Ready(answer) => return Begun::Answered(answered(id, &context, answer, out)),
        Handling::Later(future) => future,
    };
    // Whoever drives it from here on asks again, so this first look need not be told of anything.
    match poll(&mut future, &mut task::Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Begun::Answered(answered(id, &context, answer, out)),
        Poll::Pending => {
            let print = || fingerprint(request.method, request.fields, context.facts().principal());
            if let Some(sent) = asked(id, &context, print, out) {
                return Begun::Answered(sent);
            }
            let again = matches!(context.parts().asking, Asking::Rounds(_)).then(|| Again::of(request));
            Begun::Later(Box::new(Running { id: id.into(), context, future, again }))
        }
    }
}

impl Running {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Goes on; an answer is written when it is there.
    pub(crate) fn poll(&mut self, cx: &mut task::Context<'_>, out: &mut Vec<u8>) -> Poll<Sent> {
        if self.context.parts().control.drive(cx.waker()) {
            return Poll::Ready(match self.is_awaited() {
                true => refused(&self.id, &session_over(), out),
                false => Sent::Withdrawn,
            });
        }
        if let Poll::Ready(answer) = poll(&mut self.future, cx) {
            return Poll::Ready(answered(&self.id, &self.context, answer, out));
        }
        let print = || self.again.as_ref().map(|again| again.fingerprint(&self.context)).unwrap_or_default();
        match asked(&self.id, &self.context, print, out) {
            Some(sent) => Poll::Ready(sent),
            None => Poll::Pending,
        }
    }

    /// Whether somebody still waits for an answer to what is cancelled: the session was ended, not this request, and its
    /// answer has a way of its own.
    fn is_awaited(&self) -> bool {
        let parts = self.context.parts();
        match &parts.asking {
            Asking::Session(session) => session.is_closed() && matches!(parts.outlet, Outlet::Exchange(_)),
            _ => false,
        }
    }
}

fn session_over() -> ErrorObject {
    let message = "the session was ended".to_owned();
    ErrorObject { code: code::INTERNAL_ERROR, message, ..ErrorObject::default() }
}

fn poll(future: &mut Answering, cx: &mut task::Context<'_>) -> Poll<Result<Reply, Failure>> {
    catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)))
        .unwrap_or_else(|_| Poll::Ready(Err(panicked())))
}

fn panicked() -> Failure {
    Failure::protocol(code::INTERNAL_ERROR, "the handler broke off")
}

fn answered(id: &str, context: &Context, answer: Result<Reply, Failure>, out: &mut Vec<u8>) -> Sent {
    let (revision, server) = (context.revision(), context.server());
    match answer {
        Ok(reply) => {
            wire::result(id, out, |out| reply.write(revision, server.description(), out));
            Sent::Result
        }
        Err(failure) => refused(id, &failure.into_error(revision), out),
    }
}

/// Writes a refusal.
pub(crate) fn refused(id: &str, error: &ErrorObject, out: &mut Vec<u8>) -> Sent {
    wire::error(Some(id), error, out);
    Sent::Error(error.code)
}

/// Writes the questions of a handler that waits for answers, if it does.
fn asked(
    id: &str,
    context: &Context,
    fingerprint: impl FnOnce() -> String,
    out: &mut Vec<u8>,
) -> Option<Sent> {
    let Asking::Rounds(rounds) = &context.parts().asking else { return None };
    let (questions, kept) = rounds.questions()?;
    let server = context.server();
    let state = server.seal().seal(&kept, &fingerprint());
    let mut result = input_required(questions, &state);
    result.meta = Some(server.description().meta(None));
    wire::result(id, out, |out| write_json(&result, out).expect("wire types have a JSON form"));
    Some(Sent::Result)
}

/// What of a request has to be the same when it comes again.
struct Again {
    method: String,
    name: Option<Box<RawValue>>,
    uri: Option<Box<RawValue>>,
    arguments: Option<Box<RawValue>>,
}

impl Again {
    fn of(request: &Request<'_>) -> Self {
        let owned = |raw: Option<&RawValue>| raw.map(ToOwned::to_owned);
        Self {
            method: request.method.to_owned(),
            name: owned(request.fields.name),
            uri: owned(request.fields.uri),
            arguments: owned(request.fields.arguments),
        }
    }

    fn fingerprint(&self, context: &Context) -> String {
        let params = Params {
            name: self.name.as_deref(),
            uri: self.uri.as_deref(),
            arguments: self.arguments.as_deref(),
            ..Params::default()
        };
        fingerprint(&self.method, &params, context.facts().principal())
    }
}
