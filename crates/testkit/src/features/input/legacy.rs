//! Questions of the legacy era: requests of the server within a call of the client.

use super::answers::fault;
use super::questions::{Ends, Inquiry, Question, short};
use super::router::{Heard, Router, Waiting};
use crate::base::{Answer, Reply};
use crate::json::quote;
use crate::out::Out;
use std::collections::HashMap;

/// Tools that only a legacy server can have.
pub(super) const TOOLS: [(&str, &str, &str); 3] = [
    (
        "need_url",
        "2025-11-25",
        r#""description":"Refuses until two pages have been visited","inputSchema":{"type":"object"}"#,
    ),
    (
        "ask_withdrawn",
        "2025-06-18",
        r#""description":"Asks and takes the question back","inputSchema":{"type":"object"}"#,
    ),
    ("ping_odd", "", r#""description":"Pings with unusual ids","inputSchema":{"type":"object"}"#),
];

/// Ids that are strings, negative or fit no double.
const ODD_IDS: [&str; 6] = [r#""""#, r#""a b""#, r#""1""#, "-7", "9007199254740993", "0"];

/// Asks all questions of a round at once, and answers with what came back from every round.
pub(super) fn ask(id: &str, rounds: u64, inquiry: Inquiry, router: &Router, out: &Out) -> Answer {
    let (id, out, waiting) = (id.to_owned(), out.clone(), router.enter(id));
    let router = router.clone();
    Answer::Later(Box::new(move || {
        let mut said = Vec::new();
        for round in 1..=rounds {
            said.extend(one_round(&id, round, &inquiry.questions, &waiting, &router, &out)?);
        }
        Some(Reply::result(&id, &inquiry.ends.members(&said.join("\n"))))
    }))
}

/// What came back in one round, a line a question; nothing when the call was cancelled.
pub(in crate::features) fn one_round(
    call: &str,
    round: u64,
    questions: &[Question],
    waiting: &Waiting,
    router: &Router,
    out: &Out,
) -> Option<Vec<String>> {
    let asked = questions.iter().map(|question| {
        let id = quote(&format!("ask-{}", router.number()));
        waiting.ask(&id, question.method, &question.params, out);
        (id, question)
    });
    let asked: Vec<_> = asked.collect();
    let mut answers = HashMap::new();
    while answers.len() < asked.len() {
        match waiting.receiver.recv() {
            Ok(Heard::Answer(id, answer)) => answers.insert(id, answer),
            Ok(Heard::Cancelled) | Err(_) => {
                asked.iter().for_each(|(id, _)| waiting.withdraw(id, out));
                crate::complain(&format!("cancelled {call}"));
                return None;
            }
        };
    }
    Some(asked.iter().map(|(id, question)| line(round, question, &answers[id], out)).collect())
}

fn line(round: u64, question: &Question, answer: &Result<String, String>, out: &Out) -> String {
    let (name, method) = (question.name, question.method);
    let result = match answer {
        Ok(result) => result,
        Err(error) => return format!("{name}-{round} {method} error {error}"),
    };
    if question.params.contains("elicitationId") && result.contains("accept") {
        completed(r#""never-asked""#, out);
        completed(r#""visit-1""#, out);
    }
    if let Some(fault) = fault(method, &question.params, result) {
        out.violation(&fault);
    }
    format!("{name}-{round} {method} {result}")
}

/// Says that a page has been dealt with.
pub(super) fn completed(id: &str, out: &Out) {
    let method = "notifications/elicitation/complete";
    out.message(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"elicitationId":{id}}}}}"#));
}

/// A ping a time for each unusual id.
pub(super) fn ping_odd(id: &str, router: &Router, out: &Out) -> Answer {
    let (id, out, waiting) = (id.to_owned(), out.clone(), router.enter(id));
    Answer::Later(Box::new(move || {
        let mut said = Vec::new();
        for odd in ODD_IDS {
            waiting.ask(odd, "ping", "", &out);
            match waiting.receiver.recv() {
                Ok(Heard::Answer(id, Ok(result))) => said.push(format!("{id} {result}")),
                Ok(Heard::Answer(id, Err(error))) => said.push(format!("{id} error {error}")),
                Ok(Heard::Cancelled) | Err(_) => return None,
            }
        }
        Some(Reply::result(&id, &Ends::Tool.members(&said.join("\n"))))
    }))
}

/// Asks, takes it back at once, and answers.
pub(super) fn withdraw(id: &str, router: &Router, out: &Out) -> Answer {
    let (id, out, waiting) = (id.to_owned(), out.clone(), router.enter(id));
    let asked = quote(&format!("ask-{}", router.number()));
    Answer::Later(Box::new(move || {
        let question = short();
        waiting.ask(&asked, question.method, &question.params, &out);
        waiting.withdraw(&asked, &out);
        Some(Reply::result(&id, &Ends::Tool.members("withdrawn")))
    }))
}
