//! What a frame from the server means.

use codewhale_mcp_protocol::{Era, ErrorObject, Message, NotAMessage, Reply, ReplyError, method, range_in};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::era::{Legacy, Modern};
use crate::handshake::Next;
use crate::outcome::{Ignored, Received};
use crate::session::{Phase, Session};
use crate::slots::{Lookup, Ticket};
use crate::{HandshakeError, Step, Time};

impl Session {
    /// Takes a frame that is the answer to a request, written in a usual order: the most frequent frame by far, for
    /// which not even the time is needed. `None` means that [`receive`](Self::receive) has to look.
    pub fn receive_reply(&mut self, frame: &[u8]) -> Option<(Ticket, Reply)> {
        let Phase::Ready(..) = self.phase else { return None };
        let (id, reply) = Reply::peek(frame)?;
        let Lookup::Waiting(ticket) = self.slots.look_up(id) else { return None };
        self.slots.release(ticket);
        Some((ticket, reply))
    }

    /// Takes one frame: one JSON-RPC message without its line end.
    ///
    /// A batch (2025-03-26) is taken apart by the caller, see [`codewhale_mcp_protocol::batch`].
    pub fn receive<'f>(&mut self, now: Time, frame: &'f [u8], out: &mut Vec<u8>) -> Received<'f> {
        self.receive_from(now, None, frame, out)
    }

    /// Takes one frame that came in the exchange of a request: a notification there belongs to that request when it
    /// is a listen request, whether or not it says so.
    pub fn receive_from<'f>(
        &mut self,
        now: Time,
        exchange: Option<Ticket>,
        frame: &'f [u8],
        out: &mut Vec<u8>,
    ) -> Received<'f> {
        if let Some((id, reply)) = Reply::peek(frame)
            && let Lookup::Waiting(ticket) = self.slots.look_up(id)
        {
            return self.reply(now, frame, ticket, reply, out);
        }
        match Message::parse(frame) {
            Ok(Message::Result { id, result }) => {
                let reply = Reply::Result(range_in(frame, result));
                self.reply_to(now, frame, id.get(), reply, out)
            }
            Ok(Message::Error { id: Some(id), error }) => {
                let reply = Reply::Error(range_in(frame, error));
                self.reply_to(now, frame, id.get(), reply, out)
            }
            Ok(Message::Error { id: None, error }) => self.anonymous_error(now, error, out),
            Ok(Message::Notification { method, params }) if method == method::PROGRESS => {
                self.progress(now, params)
            }
            Ok(Message::Notification { method, params }) if method == method::CANCELLED => {
                self.cancelled(params)
            }
            Ok(Message::Notification { method, params }) => {
                let own = exchange.filter(|ticket| self.slots.listens(*ticket));
                let subscription = self.subscription(params).or(own);
                Received::Notification { method, params, subscription }
            }
            Ok(Message::Request { id, method, params }) => match self.phase {
                Phase::Ready(Era::Modern, _) => Modern::answer(),
                Phase::Ready(Era::Legacy, _) => {
                    let capabilities = &self.settings.capabilities;
                    Legacy::asked(capabilities, &mut self.asks, (id, method, params), out)
                }
                _ => Legacy::early(id.get(), &method, out),
            },
            Err(fault) => self.broken(now, fault, out),
        }
    }

    fn reply_to<'f>(
        &mut self,
        now: Time,
        frame: &'f [u8],
        id: &str,
        reply: Reply,
        out: &mut Vec<u8>,
    ) -> Received<'f> {
        match self.who(id) {
            Lookup::Waiting(ticket) => self.reply(now, frame, ticket, reply, out),
            Lookup::Tombstone(ticket) => {
                self.slots.release(ticket);
                // Nothing but the probe can be late that early.
                if let Phase::Initialize(state, _) = &mut self.phase
                    && let Ok(result) = reply.decode(frame)
                {
                    state.on_late_discovery(&result);
                }
                Received::Ignored(Ignored::LateReply(ticket.id()))
            }
            Lookup::Unknown => Received::Ignored(Ignored::UnknownReply),
        }
    }

    fn reply<'f>(
        &mut self,
        now: Time,
        frame: &'f [u8],
        ticket: Ticket,
        reply: Reply,
        out: &mut Vec<u8>,
    ) -> Received<'f> {
        self.slots.release(ticket);
        let next = match self.phase {
            Phase::Discover(state, asked) if asked == ticket => match decode(&reply, frame) {
                Ok(result) => state.on_result(result),
                Err(error) => state.on_error(error),
            },
            Phase::Initialize(state, asked) if asked == ticket => match decode(&reply, frame) {
                Ok(result) => state.on_result(result),
                Err(error) => state.on_error(error),
            },
            _ => return Received::Reply { ticket, reply },
        };
        self.advance(now, next, out).map_or(Received::Handled, Received::Verdict)
    }

    /// Servers that cannot make sense of a method they do not know sometimes answer without its id. Only the
    /// probe is unknown to them, so during the probe that is its answer.
    fn anonymous_error<'f>(&mut self, now: Time, error: &'f RawValue, out: &mut Vec<u8>) -> Received<'f> {
        let Phase::Discover(state, ticket) = self.phase else { return Received::PeerError { error } };
        let Ok(object) = serde_json::from_str(error.get()) else { return Received::PeerError { error } };
        self.slots.release(ticket);
        let next = state.on_error(object);
        self.advance(now, next, out).map_or(Received::Handled, Received::Verdict)
    }

    /// What is no longer wanted: in the legacy era an answer of ours, in the modern era the rest of a stream.
    fn cancelled<'f>(&mut self, params: Option<&'f RawValue>) -> Received<'f> {
        #[derive(Deserialize)]
        struct Cancelled<'a> {
            #[serde(rename = "requestId", borrow)]
            id: &'a RawValue,
        }
        let ignored = Received::Ignored(Ignored::UnknownCancellation);
        let Some(Cancelled { id }) = object(params) else { return ignored };
        if let Phase::Ready(Era::Modern, _) = self.phase {
            return match self.who(id.get()) {
                Lookup::Waiting(ticket) if self.slots.listens(ticket) => {
                    self.slots.release(ticket);
                    Received::ListenEnded { ticket }
                }
                _ => ignored,
            };
        }
        self.asks.cancel(id.get()).map_or(ignored, |ask| Received::RequestCancelled { ask })
    }

    /// The listen request that a notification belongs to.
    fn subscription(&self, params: Option<&RawValue>) -> Option<Ticket> {
        #[derive(Deserialize)]
        struct Params<'a> {
            #[serde(rename = "_meta", borrow, default)]
            meta: Option<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Meta<'a> {
            #[serde(rename = "io.modelcontextprotocol/subscriptionId", borrow, default)]
            id: Option<&'a RawValue>,
        }
        let Phase::Ready(Era::Modern, _) = self.phase else { return None };
        let meta: Meta<'_> = object(object::<Params<'_>>(params)?.meta)?;
        match self.who(meta.id?.get()) {
            Lookup::Waiting(ticket) if self.slots.listens(ticket) => Some(ticket),
            _ => None,
        }
    }

    fn progress<'f>(&mut self, now: Time, params: Option<&'f RawValue>) -> Received<'f> {
        #[derive(Deserialize)]
        struct Token<'a> {
            #[serde(rename = "progressToken", borrow)]
            token: &'a RawValue,
        }
        let ignored = Received::Ignored(Ignored::UnknownProgress);
        let (Some(params), Some(Token { token })) = (params, object(params)) else { return ignored };
        let Lookup::Waiting(ticket) = self.who(token.get()) else { return ignored };
        self.slots.touch(self.clock.working(now), ticket);
        match self.phase {
            // The owner knows nothing of the handshake's requests.
            Phase::Discover(_, asked) | Phase::Initialize(_, asked) if asked == ticket => Received::Handled,
            _ => Received::Progress { ticket, params },
        }
    }

    fn broken<'f>(&mut self, now: Time, fault: NotAMessage, out: &mut Vec<u8>) -> Received<'f> {
        let id = match &fault {
            NotAMessage::BothResultAndError { id } | NotAMessage::NeitherResultNorError { id } => id,
            _ => return Received::Ignored(Ignored::NotAMessage(fault)),
        };
        let Lookup::Waiting(ticket) = self.who(id) else {
            return Received::Ignored(Ignored::NotAMessage(fault));
        };
        self.slots.release(ticket);
        let next = match self.phase {
            Phase::Discover(state, asked) if asked == ticket => state.on_result(Err(fault.to_string())),
            Phase::Initialize(_, asked) if asked == ticket => Next::Fail(HandshakeError::InvalidAnswer {
                step: Step::Initialize,
                reason: fault.to_string(),
            }),
            _ => return Received::BrokenReply { ticket, fault },
        };
        self.advance(now, next, out).map_or(Received::Handled, Received::Verdict)
    }

    /// Whose id or token this is. A number that comes back as a string counts, if it is spelled the same:
    /// some gateways do that.
    fn who(&self, text: &str) -> Lookup {
        let digits = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
        match digits.parse::<u64>() {
            Ok(id) if id.to_string() == digits => self.slots.look_up(id),
            _ => Lookup::Unknown,
        }
    }
}

/// The members of an object. Serde would read the elements of an array as members, by their places.
fn object<'f, T: Deserialize<'f>>(text: Option<&'f RawValue>) -> Option<T> {
    let text = text?.get();
    if text.starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

/// The result, or what is wrong with its form; else the error that the server answered with.
fn decode<'f, T: Deserialize<'f>>(reply: &Reply, frame: &'f [u8]) -> Result<Result<T, String>, ErrorObject> {
    match reply.decode(frame) {
        Ok(result) => Ok(Ok(result)),
        Err(ReplyError::Peer(error)) => Err(error),
        Err(other) => Ok(Err(other.to_string())),
    }
}
