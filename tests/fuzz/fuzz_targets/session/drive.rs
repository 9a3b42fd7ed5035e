//! Runs a script against a session and its model.

use std::time::Duration;

use codewhale_mcp_protocol::{Era, InitializeResult, Message, Reply, ReplyError, Revision};
use codewhale_mcp_session::{
    Binding, Budget, Closed, Expired, Ignored, Received, Session, Settings, Ticket, Unanswered, Verdict,
};
use serde_json::Value;

use crate::model::Model;
use crate::script::Command;

/// Longer than any budget that a script can name, and than any handshake.
const EVER: Duration = Duration::from_secs(10_000_000);

/// As the settings of every script say.
const MOST_ASKS: usize = 3;

/// How long `initialize` may take.
const HANDSHAKE: Duration = Duration::from_secs(120);

pub(crate) struct Drive {
    session: Session,
    most_in_flight: usize,
    model: Model,
    now: Duration,
    out: Vec<u8>,
    /// The last id of the handshake.
    handshake: u64,
    link: Link,
    binding: Binding,
    /// The last one that asks for a new session.
    renewing: Option<Ticket>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    None,
    Handshake,
    /// The handshake came to its end.
    Decided,
}

impl Drive {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            most_in_flight: settings.limits.in_flight,
            session: Session::new(settings),
            model: Model::default(),
            now: Duration::ZERO,
            out: Vec::new(),
            handshake: 0,
            link: Link::None,
            binding: Binding::Stream,
            renewing: None,
        }
    }

    pub(crate) fn run(&mut self, command: &Command<'_>) {
        match command {
            Command::Open(binding) if self.link == Link::None => self.open(*binding),
            Command::NoAnswer(None, found) if self.link == Link::Handshake => {
                let asking = self.session.asking().expect("the handshake asks");
                self.no_answer(asking.ticket, found);
            }
            Command::NoAnswer(Some(at), found) if self.link != Link::None => {
                if let Some(ticket) = self.ticket(*at) {
                    self.no_answer(ticket, found);
                }
            }
            Command::Renew if self.link == Link::Decided => self.renew(),
            Command::OtherWayClosed if self.link == Link::None => {
                let _ = self.session.other_way_closed("no".into());
                assert!(!self.session.memory().event_stream, "a closed way is not remembered");
            }
            Command::Close => self.close(),
            Command::Wait(time) => self.wait(*time),
            Command::Reserve(budget) if self.link != Link::None => {
                let is_full = self.session.in_flight() >= self.most_in_flight;
                let reserved = self.session.reserve(self.now, *budget);
                assert_eq!(reserved.is_err(), is_full, "there is room up to the limit");
                if let Ok(ticket) = reserved {
                    self.model.reserve(self.now, ticket, *budget);
                }
            }
            Command::Write(at) => self.write(*at),
            Command::Cancel(at) => self.cancel(*at),
            Command::Release(at) => {
                if let Some(ticket) = self.ticket(*at) {
                    self.session.release(ticket);
                    if self.model.is_waiting(ticket) {
                        self.model.end(ticket);
                    }
                }
            }
            Command::Listen if self.link != Link::None => {
                if let Ok(ticket) = self.session.listen(self.now) {
                    self.model.listen(ticket);
                }
            }
            Command::AskPerson if self.link == Link::Decided => {
                self.session.person_asked(self.now);
                self.model.ask_person(self.now);
            }
            Command::PersonAnswers if self.link == Link::Decided => {
                self.session.person_answered(self.now);
                self.model.person_answers(self.now);
            }
            Command::Answer(at) => {
                if let Some((ask, _)) = self.model.asks.get(*at).copied() {
                    assert_eq!(self.session.answer(ask), self.model.answer(ask), "an answer is wanted once");
                }
            }
            Command::Frame(frame) if self.link != Link::None => self.receive(&self.filled_in(frame)),
            Command::Open(_)
            | Command::NoAnswer(..)
            | Command::Renew
            | Command::OtherWayClosed
            | Command::Reserve(_)
            | Command::Listen
            | Command::AskPerson
            | Command::PersonAnswers
            | Command::Frame(_) => {}
        }
        self.check();
    }

    /// However a script ends, every request does.
    pub(crate) fn finish(&mut self) {
        if self.link == Link::None {
            return;
        }
        while self.model.is_held_up() {
            self.session.person_answered(self.now);
            self.model.person_answers(self.now);
        }
        for ticket in self.model.given.clone() {
            if self.model.listens(ticket) {
                self.session.release(ticket);
                self.model.end(ticket);
            }
        }
        // The probe first, then the handshake that follows it.
        self.wait(EVER);
        self.wait(EVER);
        assert!(self.link == Link::Decided, "a handshake ends");
        assert_eq!(self.session.in_flight(), 0, "every request ends");
        self.check();
        self.close();
        self.check();
    }

    fn open(&mut self, binding: Binding) {
        self.model = Model::default();
        (self.link, self.binding, self.renewing) = (Link::Handshake, binding, None);
        self.session.opened_by(binding, self.now, &mut self.out);
        assert!(self.sent(1) == 1, "a handshake begins with one message");
    }

    fn no_answer(&mut self, ticket: Ticket, found: &Unanswered) {
        let is_asking = self.session.asking().is_some_and(|asking| asking.ticket == ticket);
        if let Some(verdict) = self.session.no_answer(self.now, ticket, found, &mut self.out) {
            assert!(is_asking, "only the handshake comes to an end so");
            self.decide(&verdict);
        }
        if self.model.is_waiting(ticket) {
            self.model.end(ticket);
        }
        assert!(!self.session.is_waiting(ticket), "it waits no longer");
        self.sent(usize::from(is_asking));
    }

    fn is(&self, era: Era) -> bool {
        let revision = self.session.pen().and_then(|pen| pen.revision());
        revision.is_some_and(|revision| revision.era() == era)
    }

    fn renew(&mut self) {
        if !self.is(Era::Legacy) {
            return;
        }
        let is_full = self.session.in_flight() >= self.most_in_flight;
        let renewed = self.session.renew(self.now, &mut self.out);
        assert_eq!(renewed.is_err(), is_full, "there is room up to the limit");
        let Ok(ticket) = renewed else { return };
        let message: Value = serde_json::from_slice(&self.out).expect("a request is JSON");
        assert_eq!((&message["id"], &message["method"]), (&ticket.id().into(), &"initialize".into()));
        self.out.clear();
        self.model.reserve(self.now, ticket, Budget::total(HANDSHAKE));
        self.renewing = Some(ticket);
    }

    fn renewed(&mut self, result: InitializeResult) {
        let revision = Revision::parse(&result.protocol_version);
        let legacy = revision.filter(|revision| revision.era() == Era::Legacy);
        let before = self.session.pen().and_then(|pen| pen.revision());
        let renewed = self.session.renewed(result);
        assert_eq!(renewed.is_ok(), legacy.is_some());
        assert_eq!(self.session.pen().and_then(|pen| pen.revision()), legacy.or(before));
    }

    fn close(&mut self) {
        match self.session.closed() {
            Closed::Verdict(verdict) => self.decide(&verdict),
            Closed::Over => assert!(self.link != Link::Handshake, "a handshake ends with a verdict"),
        }
        self.link = Link::None;
        // Whoever waits is told by the owner; nothing comes after that.
        self.model = Model::default();
        assert_eq!(self.session.in_flight(), 0, "nothing waits on a closed link");
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
        while let Some(expired) = self.session.expire(self.now, &mut self.out) {
            match expired {
                Expired::Request { ticket, idle } => self.model.expire(self.now, ticket, idle),
                Expired::Verdict(verdict) => self.decide(&verdict),
                other => panic!("{other:?}"),
            }
        }
        assert!(
            self.session.next_deadline().is_none_or(|deadline| deadline > self.now),
            "nothing is overdue"
        );
        self.sent(usize::MAX);
    }

    fn write(&mut self, at: usize) {
        let Some((ticket, pen)) = self.ticket(at).zip(self.session.pen()) else { return };
        pen.request(ticket.id(), "tools/call", &serde_json::json!({"name": "\n"}), &mut self.out)
            .expect("params are an object");
        let message: Value = serde_json::from_slice(&self.out).expect("a request is JSON");
        assert_eq!(message["id"], ticket.id());
        assert_eq!(self.out.iter().filter(|byte| **byte == b'\n').count(), 1, "a request is one line");
        self.out.clear();
    }

    fn cancel(&mut self, at: usize) {
        let Some(ticket) = self.ticket(at) else { return };
        self.session.cancel(ticket, "no \"longer\"\nwanted", &mut self.out);
        let is_waiting = self.model.is_waiting(ticket);
        if is_waiting {
            self.model.give_up(ticket);
        }
        // The end of its exchange says it, and initialize is never cancelled.
        let by_its_end = self.is(Era::Modern) && matches!(self.binding, Binding::Streamable { .. });
        let is_told = is_waiting && !by_its_end && self.renewing != Some(ticket);
        assert_eq!(self.sent(1), usize::from(is_told), "a server is told once");
    }

    fn receive(&mut self, frame: &[u8]) {
        let received = self.session.receive(self.now, frame, &mut self.out);
        match received {
            Received::Reply { ticket, reply } => {
                self.model.end(ticket);
                check_reply(frame, ticket, &reply);
                if self.renewing == Some(ticket)
                    && let Ok(result) = reply.decode::<InitializeResult>(frame)
                {
                    self.renewed(result);
                }
            }
            Received::BrokenReply { ticket, .. } => self.model.end(ticket),
            Received::Progress { ticket, params } => {
                assert!(params.get().starts_with('{'));
                self.model.touch(self.now, ticket);
            }
            Received::Ignored(Ignored::LateReply(id)) => self.model.late(id),
            Received::Verdict(verdict) => self.decide(&verdict),
            Received::Notification { subscription: Some(ticket), .. } => {
                assert!(self.model.listens(ticket), "only who listens has a stream");
            }
            Received::ListenEnded { ticket } => {
                assert!(self.model.listens(ticket), "a server ends nothing else");
                self.model.end(ticket);
            }
            Received::Request { ask, .. } => self.model.asked(ask, MOST_ASKS),
            Received::RequestCancelled { ask } => assert!(self.model.answer(ask), "it was open"),
            Received::Notification { .. }
            | Received::PeerError { .. }
            | Received::Handled
            | Received::Ignored(_) => {}
            other => panic!("{other:?}"),
        }
        self.sent(1);
    }

    fn decide(&mut self, verdict: &Verdict) {
        assert!(self.link == Link::Handshake, "a handshake ends once: {verdict:?}");
        self.link = Link::Decided;
        assert_eq!(self.session.pen().is_some(), matches!(verdict, Verdict::Ready(_)));
    }

    fn ticket(&self, at: usize) -> Option<Ticket> {
        self.model.given.get(at).copied()
    }

    fn filled_in(&self, frame: &[u8]) -> Vec<u8> {
        let mut filled = Vec::with_capacity(frame.len() + 16);
        let mut bytes = frame.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let id = bytes.peek().filter(|_| byte == b'$').and_then(|name| match name {
                b'h' => Some(self.handshake),
                b'0'..=b'9' => self.ticket(usize::from(name - b'0')).map(Ticket::id),
                _ => None,
            });
            match id {
                Some(id) => {
                    bytes.next();
                    filled.extend_from_slice(id.to_string().as_bytes());
                }
                None => filled.push(byte),
            }
        }
        filled
    }

    /// Takes what was written: at most so many whole lines, each a message. The number of them.
    fn sent(&mut self, most: usize) -> usize {
        let out = std::mem::take(&mut self.out);
        let mut count = 0;
        for line in out.split_inclusive(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\n").expect("a frame ends with its line");
            assert!(!line.contains(&b'\r'));
            if let Message::Request { id, .. } = Message::parse(line).expect("a frame is a message") {
                self.handshake = id.get().parse().expect("our ids are numbers");
                self.model.use_id(self.handshake);
            }
            count += 1;
        }
        assert!(count <= most, "{count} messages");
        count
    }

    fn check(&self) {
        let asked = usize::from(self.link == Link::Handshake);
        assert!(self.session.in_flight() <= self.most_in_flight);
        assert_eq!(self.session.in_flight(), self.model.len() + asked);
        let _ = (self.session.unanswered(), self.session.memory());
        if let Some(first) = self.model.first_deadline() {
            let next = self.session.next_deadline().expect("something has a deadline");
            assert!(next <= first, "a deadline lies before {next:?}");
        }
    }
}

/// The payload lies in the frame, and the frame says that it is the ticket's or that it cannot be read.
fn check_reply(frame: &[u8], ticket: Ticket, reply: &Reply) {
    let (Reply::Unread(range) | Reply::Result(range) | Reply::Error(range)) = reply;
    assert!(frame.get(range.clone()).is_some());
    match reply.decode::<&serde_json::value::RawValue>(frame) {
        Ok(_) | Err(ReplyError::Peer(_)) => {
            let (Ok(Message::Result { id, .. }) | Ok(Message::Error { id: Some(id), .. })) =
                Message::parse(frame)
            else {
                panic!("an answer without an id")
            };
            assert_eq!(id.get().trim_matches('"'), ticket.id().to_string());
        }
        Err(_) => {}
    }
}
