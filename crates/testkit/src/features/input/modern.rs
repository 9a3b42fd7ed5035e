//! Questions of the modern era: results that require input, and retries that are held to the letter.

use super::Asking;
use super::answers::fault;
use super::questions::{Ends, Inquiry};
use crate::base::{Base, Reply};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};

/// The rounds that wait for a retry, by their state, or by the request itself when there is none.
#[derive(Default)]
pub(super) struct Rounds {
    open: HashMap<String, Round>,
    issued: u64,
}

/// One round, before it is asked or while it waits.
struct Round {
    /// The request without what retries add to it.
    original: String,
    /// Counts from 1; rounds without a question count too.
    number: u64,
    /// The keys that are still to be answered, with the place of their question.
    keys: Vec<(String, usize)>,
    /// What came back so far.
    said: Vec<String>,
}

type Responses = BTreeMap<String, Box<RawValue>>;

impl Rounds {
    /// Answers a request: with questions, with the result, or with what is wrong about the retry.
    pub(super) fn turn(
        &mut self,
        asking: &Asking,
        inquiry: &Inquiry,
        message: &Message,
        base: &Base,
        out: &Out,
    ) -> Reply {
        let id = message.id().unwrap_or("null");
        match self.advance(asking, inquiry, message) {
            Ok(round) if round.number > asking.empty_rounds.saturating_add(asking.rounds) => {
                let members = inquiry.ends.members(&round.said.join("\n"));
                match inquiry.ends {
                    Ends::Resource => base.cached_result(message, &members),
                    Ends::Tool | Ends::Prompt => base.result(message, &members),
                }
            }
            Ok(round) => Reply::result(id, &self.require(asking, inquiry, round)),
            Err(text) => {
                out.violation(&text);
                Reply::error(id, -32602, &text, None)
            }
        }
    }

    /// The round that comes next, with whatever this request answers.
    fn advance(&mut self, asking: &Asking, inquiry: &Inquiry, message: &Message) -> Result<Round, String> {
        let original = original(message);
        let responses = match message.param("inputResponses") {
            None => None,
            Some(raw) => Some(
                serde_json::from_str::<Responses>(raw)
                    .map_err(|_| "inputResponses is no object".to_owned())?,
            ),
        };
        let mut round = match (message.param_text("requestState"), &responses) {
            (None, _) if message.param("requestState").is_some() => {
                return Err("requestState is no string".to_owned());
            }
            (None, None) => {
                return Ok(Round { keys: keys(1, asking, inquiry), original, number: 1, said: vec![] });
            }
            (Some(state), _) => self.open.remove(&state).ok_or("no round waits with this requestState")?,
            (None, Some(_)) => {
                self.open.remove(&original).ok_or("inputResponses without their requestState")?
            }
        };
        if round.original != original {
            return Err("the params differ from those of the first round".to_owned());
        }
        round.take(responses.unwrap_or_default(), inquiry)?;
        if round.keys.is_empty() {
            round.number += 1;
            round.keys = keys(round.number, asking, inquiry);
        }
        Ok(round)
    }

    /// The inside of a result that asks for what the round still lacks.
    fn require(&mut self, asking: &Asking, inquiry: &Inquiry, round: Round) -> String {
        let request = |(key, place): &(String, usize)| {
            let question = &inquiry.questions[*place];
            format!(r#"{}:{{"method":"{}","params":{}}}"#, quote(key), question.method, question.params)
        };
        let requests: Vec<String> = round.keys.iter().map(request).collect();
        let requests = match requests.as_slice() {
            [] => String::new(),
            all => format!(r#","inputRequests":{{{}}}"#, all.join(",")),
        };
        self.issued += 1;
        // Every character here can be lost on the way through a careless client.
        let state = format!(" {} \"é\\/\u{1f40b}\u{1}\u{7f}\r\n 9007199254740993 ", self.issued);
        let (key, member) = if asking.stateless && !requests.is_empty() {
            (round.original.clone(), String::new())
        } else {
            (state.clone(), format!(r#","requestState":{}"#, quote(&state)))
        };
        self.open.insert(key, round);
        format!(r#""resultType":"input_required"{requests}{member}"#)
    }
}

impl Round {
    /// Takes the answers of this round, and only of this one.
    fn take(&mut self, mut responses: Responses, inquiry: &Inquiry) -> Result<(), String> {
        for (key, place) in std::mem::take(&mut self.keys) {
            let Some(response) = responses.remove(&key) else {
                self.keys.push((key, place));
                continue;
            };
            let (question, raw) = (&inquiry.questions[place], response.get());
            let bare = serde_json::from_str::<BTreeMap<String, &RawValue>>(raw);
            let extra = bare.ok().and_then(|members| {
                ["resultType", "id", "jsonrpc", "result"].into_iter().find(|name| members.contains_key(*name))
            });
            if let Some(extra) = extra {
                return Err(format!("the response {key} has {extra}, and should be a bare result"));
            }
            if let Some(fault) = fault(question.method, &question.params, raw) {
                return Err(fault);
            }
            self.said.push(format!("{key} {} {raw}", question.method));
        }
        match responses.first_key_value() {
            Some((key, _)) => Err(format!("{key} is no question of this round")),
            None => Ok(()),
        }
    }
}

/// The keys of a round's questions; the first rounds may have none.
fn keys(number: u64, asking: &Asking, inquiry: &Inquiry) -> Vec<(String, usize)> {
    let Some(round @ 1..) = number.checked_sub(asking.empty_rounds) else { return Vec::new() };
    let questions = inquiry.questions.iter().enumerate();
    questions.map(|(place, question)| (format!("{}-{round}", question.name), place)).collect()
}

/// The request without what changes from round to round.
fn original(message: &Message) -> String {
    let mut params = message.params();
    for added in ["_meta", "requestState", "inputResponses"] {
        params.remove(added);
    }
    let members: Vec<String> = params.iter().map(|(name, raw)| format!("{name}={raw}")).collect();
    format!("{} {}", message.method().unwrap_or_default(), members.join(" "))
}
