//! Servers that ask the client, and look hard at what it answers.

use super::setup::Setup;
use crate::base::Reply;
use crate::fault::{Context, Fault, Flow};
use crate::json::{quote, text_block};
use crate::message::Message;
use crate::options::Options;

/// Pings before and after the answer to `initialize`, and during each call, which is answered only when
/// all pings are, and fails when one answer was not `{}`.
pub(crate) fn ping_first(_: &Options, setup: &mut Setup) {
    setup.add(Asker {
        asks: |context| vec![context.ping()],
        around_initialize: true,
        ..Asker::new(judge_pings)
    });
}

/// Asks for roots, a completion, an elicitation and something unknown during each call, and answers the call
/// with what it was told.
pub(crate) fn server_requests(_: &Options, setup: &mut Setup) {
    let asks = |context: &mut Numbers| REQUESTS.map(|(method, params)| context.ask(method, params)).to_vec();
    setup.add(Asker { asks, ..Asker::new(judge_requests) });
}

const REQUESTS: [(&str, &str); 4] = [
    ("roots/list", "{}"),
    (
        "sampling/createMessage",
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10}"#,
    ),
    (
        "elicitation/create",
        r#"{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}"#,
    ),
    ("x/unknown", "{}"),
];

/// One request of ours: its raw id, its method, its line, and what came back.
#[derive(Clone)]
struct Asked {
    id: String,
    method: &'static str,
    line: String,
    /// The raw member `result` or `error`, with its name.
    answer: Option<(&'static str, String)>,
}

/// Gives out string ids, which a client must send back as strings.
#[derive(Default)]
struct Numbers(u32);

impl Numbers {
    fn ask(&mut self, method: &'static str, params: &str) -> Asked {
        self.0 += 1;
        let id = quote(&format!("ask-{}", self.0));
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        Asked { id, method, line, answer: None }
    }

    fn ping(&mut self) -> Asked {
        let mut asked = self.ask("ping", "{}");
        asked.line = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"ping"}}"#, asked.id);
        asked
    }
}

struct Asker {
    numbers: Numbers,
    asks: fn(&mut Numbers) -> Vec<Asked>,
    judge: fn(&[Asked]) -> (String, bool),
    around_initialize: bool,
    open: Vec<Asked>,
    /// Answers to calls, held back until ours have come.
    waiting: Vec<Reply>,
}

impl Asker {
    fn new(judge: fn(&[Asked]) -> (String, bool)) -> Asker {
        let asks = |_: &mut Numbers| Vec::new();
        Asker {
            numbers: Numbers::default(),
            asks,
            judge,
            around_initialize: false,
            open: vec![],
            waiting: vec![],
        }
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        for asked in (self.asks)(&mut self.numbers) {
            context.out.message(&asked.line);
            self.open.push(asked);
        }
    }

    /// Answers the waiting call when nothing is open any more.
    fn settle(&mut self, context: &mut Context<'_>) {
        if self.open.iter().any(|asked| asked.answer.is_none()) {
            return;
        }
        let (text, failed) = (self.judge)(&self.open);
        let speaks = failed || self.open.iter().any(|asked| asked.method != "ping");
        if !self.waiting.is_empty() {
            self.open.clear();
        }
        for mut reply in self.waiting.drain(..) {
            if speaks {
                reply.body = format!(r#""result":{{"content":[{}],"isError":{failed}}}"#, text_block(&text));
            }
            context.out.message(reply.render());
        }
    }
}

impl Fault for Asker {
    fn message(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        if message.is_response() {
            let asked = self.open.iter_mut().find(|asked| message.id() == Some(&asked.id));
            if let Some(asked) = asked {
                let result = message.member("result").map(|raw| ("result", raw.to_owned()));
                asked.answer =
                    result.or_else(|| message.member("error").map(|raw| ("error", raw.to_owned())));
            }
            self.settle(context);
            return Flow::Handled;
        }
        if self.around_initialize && message.is_method("initialize") {
            self.ask(context);
        }
        Flow::Pass
    }

    fn reply(&mut self, message: &Message, reply: &mut Reply, context: &mut Context<'_>) -> Flow {
        if !message.is_method("tools/call") {
            return Flow::Pass;
        }
        self.waiting.push(reply.clone());
        self.ask(context);
        Flow::Handled
    }

    fn replied(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        if self.around_initialize && message.is_method("initialize") {
            self.ask(context);
        }
        Flow::Pass
    }
}

/// Every ping wants an empty result.
fn judge_pings(open: &[Asked]) -> (String, bool) {
    let bad = open
        .iter()
        .find(|asked| asked.answer.as_ref().is_none_or(|(kind, raw)| *kind != "result" || raw != "{}"));
    match bad {
        Some(asked) => (format!("ping {} was answered with {:?}", asked.id, asked.answer), true),
        None => ("all pings answered".to_owned(), false),
    }
}

/// One line a request; what nobody knows must be an error -32601.
fn judge_requests(open: &[Asked]) -> (String, bool) {
    let line = |asked: &Asked| {
        let (kind, raw) = asked.answer.clone().unwrap_or(("nothing", String::new()));
        format!("{} {kind} {raw}", asked.method)
    };
    let failed = open.iter().any(|asked| {
        asked.method == "x/unknown"
            && !asked.answer.as_ref().is_some_and(|(kind, raw)| *kind == "error" && raw.contains("-32601"))
    });
    (open.iter().map(line).collect::<Vec<_>>().join("\n"), failed)
}
