//! What one fake does, put together by its modes before it runs.

use super::request::HttpRequest;
use super::response::Response;
use super::shape::{Answers, Shape};
use crate::base::Era;
use crate::faults::Setup;
use crate::message::Message;
use crate::mode::Build;
use crate::options::Options;
use std::sync::{Arc, Mutex};

/// The settings of one run. The default speaks both eras at `/mcp` and the deprecated transport at `/sse`.
pub(super) struct Plan {
    /// Where the URL points to.
    pub(super) path: &'static str,
    pub(super) eras: Eras,
    pub(super) options: Arc<Options>,
    /// What makes a server of the bare one.
    pub(super) builders: Vec<Build>,
    pub(super) gates: Mutex<Vec<Gate>>,
    shapes: Vec<(String, Spoil)>,
    pub(super) sessions: Sessions,
    pub(super) general: General,
    /// The status of a GET that wants to resume a stream, instead of the stream.
    pub(super) resume: Option<u16>,
    /// What a notification or a response of the client gets.
    pub(super) accepted: Response,
    /// Headers are held to every rule.
    pub(super) strict: bool,
    pub(super) event_stream: EventStream,
    /// What the server does on its own when a subscription is there.
    pub(super) grows_when_heard: bool,
    /// A legacy answer does not come where it was asked for, but on the stream of the session.
    pub(super) answers_on_general: bool,
    /// Every connection is closed after one answer, without a word.
    pub(super) drops_connections: bool,
}

/// The eras of the endpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Eras {
    Both,
    Modern,
    Legacy,
}

/// Whether a legacy server keeps sessions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sessions {
    Kept,
    /// There are none, and requests need no handshake.
    None,
    /// They have names that no header should have.
    OddlyNamed,
}

/// What GET gets in a legacy session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum General {
    Open,
    Refused(u16),
    /// The stream is there and ends at once.
    EndsAtOnce,
}

/// How the deprecated transport names its endpoint.
#[derive(Clone)]
pub(super) struct EventStream {
    /// There is nothing else at this server.
    pub(super) alone: bool,
    /// The data of each `endpoint` event; `{}` is the session, `{port}` the server's port, `{other}` that of the
    /// other origin.
    pub(super) endpoints: Vec<&'static str>,
    /// The status of a POST to the stream's own URL.
    pub(super) post: u16,
    /// The stream breaks when a tool is called.
    pub(super) dies_on_call: bool,
}

/// Changes the shape of some answers.
pub(super) type Spoil = Arc<dyn Fn(&mut Shape) + Send + Sync>;

/// Stands before the server; counts what it must in its own state.
pub(super) type Gate = Box<dyn FnMut(&Knock<'_>) -> Passage + Send>;

/// A request at a gate.
pub(super) struct Knock<'a> {
    pub(super) request: &'a HttpRequest,
    /// The message in the body.
    pub(super) message: Option<&'a Message>,
    /// Its method, or nothing.
    pub(super) method: &'a str,
    /// The port of the other origin.
    pub(super) other: u16,
}

/// What a gate does with a request.
pub(super) enum Passage {
    Open,
    Answer(Response),
    /// Nothing is answered, and the connection stays.
    Silence,
}

impl Plan {
    pub(super) fn new(options: Arc<Options>, era: Era) -> Plan {
        let answers = match options.word("answers", "mixed").as_str() {
            "json" => Some(Answers::Json),
            "events" => Some(Answers::Events),
            _ => None,
        };
        let mut plan = Plan {
            path: "/mcp",
            eras: match era {
                Era::Dual => Eras::Both,
                Era::Modern => Eras::Modern,
                Era::Legacy => Eras::Legacy,
            },
            options,
            builders: Vec::new(),
            gates: Mutex::default(),
            shapes: Vec::new(),
            sessions: Sessions::Kept,
            general: General::Open,
            resume: None,
            accepted: Response::empty(202),
            strict: false,
            event_stream: EventStream {
                alone: false,
                endpoints: vec!["/messages?session={}"],
                post: 405,
                dies_on_call: false,
            },
            grows_when_heard: false,
            answers_on_general: false,
            drops_connections: false,
        };
        if let Some(answers) = answers {
            plan.shape("*", move |shape| shape.answers = answers);
        }
        plan
    }

    /// Stands before the server.
    pub(super) fn gate(&mut self, gate: impl FnMut(&Knock<'_>) -> Passage + Send + 'static) {
        self.gates.get_mut().expect("no holder panics").push(Box::new(gate));
    }

    /// Stands before every other gate.
    pub(super) fn first_gate(&mut self, gate: impl FnMut(&Knock<'_>) -> Passage + Send + 'static) {
        self.gates.get_mut().expect("no holder panics").insert(0, Box::new(gate));
    }

    /// Changes the answers to a method of JSON-RPC, or of HTTP; `*` are all of them.
    pub(super) fn shape(
        &mut self,
        method: impl Into<String>,
        spoil: impl Fn(&mut Shape) + Send + Sync + 'static,
    ) {
        self.shapes.push((method.into(), Arc::new(spoil)));
    }

    /// The shape of the answer to this method.
    pub(super) fn shape_for(&self, method: &str) -> Shape {
        let mut shape = Shape::default();
        for (pattern, spoil) in &self.shapes {
            if pattern == "*" || pattern == method {
                spoil(&mut shape);
            }
        }
        let takes_long = matches!(
            method,
            "tools/call" | "prompts/get" | "resources/read" | "subscriptions/listen" | "GET"
        );
        if takes_long && shape.answers == Answers::Mixed {
            shape.answers = Answers::Events;
        }
        shape
    }

    /// A server of one era, apart from every other.
    pub(super) fn setup(&self, era: Era) -> Setup {
        let mut setup = Setup::new(crate::mode::base(&self.options, era));
        self.builders.iter().for_each(|build| build(&self.options, &mut setup));
        setup
    }
}
