//! Questions and answers of a modern request (MCP 2026-07-28, basic/patterns/mrtr).
//!
//! ```text
//!   request ──▶ handler asks ──▶ input_required: questions, sealed answers so far ──▶ client
//!      ▲                                                                               │
//!      └──────────── the same request, with the answers and what was sealed ◀──────────┘
//! ```

use std::future::pending;
use std::sync::{Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::{InputRequests, InputRequiredResult, Json, Members, Request, ResultType};
use serde::{Deserialize, Serialize};

/// The rounds of one request, as they stand in this one.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    kept: Kept,
    /// What this round brought.
    answers: Members<Json>,
    questions: Vec<(Box<str>, Request)>,
}

/// What is kept between rounds.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Kept {
    #[serde(rename = "a", default, skip_serializing_if = "Members::is_empty")]
    answers: Members<Json>,
    #[serde(rename = "o", default, skip_serializing_if = "Members::is_empty")]
    once: Members<Json>,
}

impl Rounds {
    /// A round that begins with what was kept and what came with it.
    pub(crate) fn new(kept: Kept, answers: Members<Json>) -> Self {
        Self { state: Mutex::new(State { kept, answers, questions: Vec::new() }) }
    }

    /// The answer, if it is there; otherwise this round has a question more, and never goes on from here.
    pub(crate) async fn ask(&self, key: &str, request: Request, asked: impl FnOnce()) -> Json {
        if let Some(answer) = self.answer(key) {
            return answer;
        }
        {
            let mut state = self.state();
            if !state.questions.iter().any(|(known, _)| **known == *key) {
                state.questions.push((key.into(), request));
            }
        }
        asked();
        pending().await
    }

    fn answer(&self, key: &str) -> Option<Json> {
        let mut state = self.state();
        if let Some(answer) = state.kept.answers.member(key) {
            return Some(answer.clone());
        }
        let answer = state.answers.member(key)?.clone();
        state.kept.answers.push(key, answer.clone());
        Some(answer)
    }

    pub(crate) fn kept(&self, key: &str) -> Option<Json> {
        self.state().kept.once.member(key).cloned()
    }

    pub(crate) fn keep(&self, key: &str, value: Json) {
        self.state().kept.once.push(key, value);
    }

    /// What the client is asked, if anything, and what is to be kept until then.
    pub(crate) fn questions(&self) -> Option<(InputRequests, Kept)> {
        let mut state = self.state();
        if state.questions.is_empty() {
            return None;
        }
        Some((std::mem::take(&mut state.questions).into_iter().collect(), state.kept.clone()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result that asks.
pub(crate) fn input_required(questions: InputRequests, state: &str) -> InputRequiredResult {
    InputRequiredResult {
        result_type: Some(ResultType::InputRequired),
        input_requests: Some(questions),
        request_state: Some(Json::encode(state).expect("a text has a JSON form")),
        ..InputRequiredResult::default()
    }
}
