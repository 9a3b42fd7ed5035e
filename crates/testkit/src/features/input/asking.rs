//! Which requests need input, and what becomes of them in each era.

use super::legacy;
use super::modern::Rounds;
use super::questions::{self, Inquiry, TOOLS, inquiry};
use super::router::Router;
use crate::base::{Answer, Base, Era, Feature, Reply};
use crate::json::quote;
use crate::message::Message;
use crate::options::Options;
use crate::out::Out;

/// How questions are asked: `--rounds N` times each, after `--state-only N` rounds without a question,
/// `--endless`ly, with `--no-state`, and though the client did not declare that it answers them
/// (`--undeclared`).
pub(in crate::features) struct Asking {
    pub(super) rounds: u64,
    pub(super) empty_rounds: u64,
    pub(super) stateless: bool,
    undeclared: bool,
}

impl Asking {
    pub(in crate::features) fn of(options: &Options) -> Asking {
        let rounds = if options.has("endless") { u64::MAX } else { options.number("rounds", 1).max(1) };
        Asking {
            rounds,
            empty_rounds: options.number("state-only", 0),
            stateless: options.has("no-state"),
            undeclared: options.has("undeclared"),
        }
    }
}

/// The questions that a request brings up at a revision.
type Inquire = fn(&Message, &str) -> Option<Inquiry>;

/// The tools, the prompt and the resource that ask.
pub(in crate::features) struct Input {
    asking: Asking,
    inquire: Inquire,
    rounds: Rounds,
    router: Router,
    /// Calls of `need_url` that have been refused once, by their arguments.
    refused: Vec<String>,
}

impl Input {
    pub(in crate::features) fn new(base: &mut Base, asking: Asking, router: Router) -> Input {
        for (name, since, rest) in TOOLS {
            base.catalogue.add_tool(name, since, rest);
        }
        if base.era != Era::Modern {
            for (name, since, rest) in legacy::TOOLS {
                base.catalogue.add_tool(name, since, rest);
            }
        }
        let vault = r#"{"uri":"asked://vault","name":"vault","description":"Read after a question"}"#;
        base.catalogue.resources.push(vault.to_owned());
        let interview =
            r#"{"name":"interview","description":"Asks before it answers","arguments":[{"name":"topic"}]}"#;
        base.catalogue.prompts.push(interview.to_owned());
        Input::with(asking, router, inquiry)
    }

    /// Asks what a function says, and adds nothing to the lists.
    pub(in crate::features) fn with(asking: Asking, router: Router, inquire: Inquire) -> Input {
        Input { asking, inquire, rounds: Rounds::default(), router, refused: Vec::new() }
    }

    /// The error -32042 the first time, and what the URL was for the second.
    fn need_url(&mut self, id: &str, message: &Message, out: &Out) -> Answer {
        let arguments = message.arguments().raw;
        if let Some(place) = self.refused.iter().position(|known| *known == arguments) {
            self.refused.remove(place);
            return Answer::Now(Reply::result(id, &questions::Ends::Tool.members("the page was visited")));
        }
        let first = self.router.number();
        self.refused.push(arguments);
        let elicitation = |number: u64| {
            format!(
                r#"{{"mode":"url","message":"Page {number}","url":"https://fake.example/needed/{number}","elicitationId":"needed-{number}"}}"#
            )
        };
        let data = format!(r#"{{"elicitations":[{},{}]}}"#, elicitation(first), elicitation(first + 1));
        let refusal = Reply::error(id, -32042, "this needs two pages to be visited", Some(&data));
        let out = out.clone();
        Answer::Later(Box::new(move || {
            out.message(refusal.render());
            for number in [first, first + 1] {
                legacy::completed(&quote(&format!("needed-{number}")), &out);
            }
            None
        }))
    }
}

impl Feature for Input {
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer> {
        let (id, modern) = (message.id()?, base.is_modern(message));
        let tool = message.param_text("name").filter(|_| message.is_method("tools/call"));
        if let Some(tool) = tool.filter(|tool| !modern && base.catalogue.has_tool(tool)) {
            match tool.as_str() {
                "need_url" => return Some(self.need_url(id, message, out)),
                "ping_odd" => return Some(legacy::ping_odd(id, &self.router, out)),
                "ask_withdrawn" => return Some(legacy::withdraw(id, &self.router, out)),
                _ => {}
            }
        }
        let inquiry = (self.inquire)(message, base.revision(message))?;
        let capabilities = base.client_capabilities(message);
        let absent = inquiry.questions.iter().find(|question| !question.need.is_declared(&capabilities));
        if let Some(question) = absent.filter(|_| !self.asking.undeclared) {
            let text = format!("the client has not declared {}", question.need.capability());
            if modern {
                let data = format!(r#"{{"requiredCapabilities":{}}}"#, question.need.capability());
                return Some(Answer::Now(Reply::error(id, -32021, &text, Some(&data))));
            }
            let members = format!(r#"{},"isError":true"#, questions::Ends::Tool.members(&text));
            return Some(Answer::Now(match inquiry.ends {
                questions::Ends::Tool => Reply::result(id, &members),
                _ => Reply::error(id, -32603, &text, None),
            }));
        }
        if modern {
            return Some(Answer::Now(self.rounds.turn(&self.asking, &inquiry, message, base, out)));
        }
        Some(legacy::ask(id, self.asking.rounds, inquiry, &self.router, out))
    }

    fn heard(&mut self, message: &Message, _: &mut Base, out: &Out) {
        if message.is_method("notifications/cancelled") {
            self.router.cancel(message.param("requestId").unwrap_or_default());
        } else if message.is_response() {
            self.router.answered(message, out);
        }
    }
}
