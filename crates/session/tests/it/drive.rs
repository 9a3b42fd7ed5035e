//! A session and the server it talks to, in one thread.

use std::time::Duration;

use codewhale_mcp_session::{
    Ask, Binding, Closed, Expired, Received, Session, Settings, Ticket, Unanswered, Verdict,
};
use serde_json::{Value, json};

pub(crate) struct Drive {
    pub(crate) session: Session,
    pub(crate) now: Duration,
    /// Every message that left, oldest first.
    pub(crate) sent: Vec<Value>,
    /// How the handshake ended, in a word or two.
    pub(crate) verdict: Option<String>,
    /// What the server asked last.
    pub(crate) ask: Option<Ask>,
}

impl Drive {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            session: Session::new(settings),
            now: Duration::ZERO,
            sent: Vec::new(),
            verdict: None,
            ask: None,
        }
    }

    /// A connection that is past its handshake.
    pub(crate) fn ready(revision: &str) -> Self {
        Self::ready_with(revision, Settings::default())
    }

    pub(crate) fn ready_with(revision: &str, settings: Settings) -> Self {
        Self::ready_by(Binding::Stream, revision, settings)
    }

    pub(crate) fn ready_by(binding: Binding, revision: &str, settings: Settings) -> Self {
        let mut drive = Self::new(settings);
        drive.open_by(binding);
        if revision == "2026-07-28" {
            drive.answer(&json!({"result": {"supportedVersions": [revision]}}));
        } else {
            if binding != Binding::EventStream {
                drive.answer(&json!({"error": {"code": -32601, "message": "Method not found"}}));
            }
            drive.answer(&json!({"result": {"protocolVersion": revision, "capabilities": {}}}));
        }
        assert_eq!(drive.verdict.take().as_deref(), Some(format!("ready {revision}").as_str()));
        drive.sent.clear();
        drive
    }

    pub(crate) fn open(&mut self) {
        self.open_by(Binding::Stream);
    }

    pub(crate) fn open_by(&mut self, binding: Binding) {
        let mut out = Vec::new();
        self.session.opened_by(binding, self.now, &mut out);
        self.keep(&out);
    }

    /// The exchange of the handshake's request ends so.
    pub(crate) fn no_answer(&mut self, found: &Unanswered) {
        let ticket = self.session.asking().expect("the handshake asks").ticket;
        let mut out = Vec::new();
        if let Some(verdict) = self.session.no_answer(self.now, ticket, found, &mut out) {
            self.decide(&verdict);
        }
        self.keep(&out);
    }

    /// Gives a request up; how many messages that took.
    pub(crate) fn cancel(&mut self, ticket: Ticket) -> usize {
        let (before, mut out) = (self.sent.len(), Vec::new());
        self.session.cancel(ticket, "cancelled", &mut out);
        self.keep(&out);
        self.sent.len() - before
    }

    /// The server answers the last request with these members.
    pub(crate) fn answer(&mut self, members: &Value) {
        let asked = self.sent.iter().rev().find(|message| message.get("id").is_some());
        let mut reply = json!({"jsonrpc": "2.0", "id": asked.expect("a request was sent")["id"]});
        for (name, value) in members.as_object().expect("members stand in an object") {
            reply[name] = value.clone();
        }
        self.say(&reply.to_string());
    }

    /// The server sends this line; the answer says in a word what it was.
    pub(crate) fn say(&mut self, line: &str) -> String {
        self.say_in(None, line)
    }

    /// The same in the exchange of a request.
    pub(crate) fn say_in(&mut self, exchange: Option<Ticket>, line: &str) -> String {
        let mut out = Vec::new();
        let what = match self.session.receive_from(self.now, exchange, line.as_bytes(), &mut out) {
            Received::Reply { ticket, reply } => match reply.decode::<Value>(line.as_bytes()) {
                Ok(result) => format!("reply {} {result}", ticket.index()),
                Err(error) => format!("reply {} {error}", ticket.index()),
            },
            Received::BrokenReply { ticket, fault } => format!("broken {} {fault}", ticket.index()),
            Received::Progress { ticket, .. } => format!("progress {}", ticket.index()),
            Received::Notification { method, subscription: Some(ticket), .. } => {
                format!("notification {method} of {}", ticket.index())
            }
            Received::Notification { method, .. } => format!("notification {method}"),
            Received::ListenEnded { ticket } => format!("listen {} ended", ticket.index()),
            Received::Request { ask, id, method, params } => {
                self.ask = Some(ask);
                format!("asked {method} {id} {}", params.map_or("nothing", |params| params.get()))
            }
            Received::RequestCancelled { ask } => {
                assert_eq!(self.ask, Some(ask));
                "ask cancelled".into()
            }
            Received::PeerError { .. } => "peer error".into(),
            Received::Verdict(verdict) => {
                self.decide(&verdict);
                "verdict".into()
            }
            Received::Handled => "handled".into(),
            Received::Ignored(why) => format!("ignored: {why}"),
            other => panic!("{other:?}"),
        };
        self.keep(&out);
        what
    }

    /// Time passes; what expired, in a word each.
    pub(crate) fn wait(&mut self, seconds: f64) -> Vec<String> {
        self.now += Duration::from_secs_f64(seconds);
        let mut what = Vec::new();
        let mut out = Vec::new();
        while let Some(expired) = self.session.expire(self.now, &mut out) {
            match expired {
                Expired::Request { ticket, idle } => {
                    what.push(format!(
                        "{} {}",
                        ticket.index(),
                        if idle.is_some() { "idle" } else { "total" }
                    ));
                }
                Expired::Verdict(verdict) => self.decide(&verdict),
                other => panic!("{other:?}"),
            }
        }
        self.keep(&out);
        what
    }

    pub(crate) fn close(&mut self) {
        match self.session.closed() {
            Closed::Verdict(verdict) => self.decide(&verdict),
            Closed::Over => self.verdict = Some("over".into()),
        }
    }

    pub(crate) fn methods(&self) -> Vec<String> {
        let name = |message: &Value| message["method"].as_str().unwrap_or("reply").to_owned();
        self.sent.iter().map(name).collect()
    }

    fn decide(&mut self, verdict: &Verdict) {
        self.verdict = Some(match verdict {
            Verdict::Ready(established) => format!("ready {}", established.revision),
            Verdict::Reopen => "reopen".into(),
            Verdict::Failed(error) => format!("failed: {error}"),
        });
    }

    pub(crate) fn keep(&mut self, out: &[u8]) {
        for line in out.split_inclusive(|byte| *byte == b'\n') {
            assert_eq!(line.last(), Some(&b'\n'), "a frame ends with its line");
            self.sent.push(serde_json::from_slice(line).expect("a frame is JSON"));
        }
    }
}
