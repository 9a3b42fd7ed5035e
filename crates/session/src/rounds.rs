//! Input in several rounds (MCP 2026-07-28, basic/patterns/mrtr).
//!
//! ```text
//!   request ──▶ complete
//!      ▲   └──▶ input_required ──▶ answers gathered ──┐
//!      └──────── the same, with answers and state ◀───┘
//! ```

use std::time::Duration;

use codewhale_mcp_protocol::{Input, InputRequiredResult, InputResponses, Json, ServerInputInvalid, method};

/// How often a server may ask for more input to one request.
const MOST: u32 = 16;
/// How long the first round waits that only repeats the request; each further one waits twice as long.
const PAUSE: Duration = Duration::from_millis(100);
/// No round waits longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The rounds of one request.
#[derive(Debug, Default)]
pub struct Rounds {
    done: u32,
    /// How many rounds in a row asked for nothing.
    empty: u32,
}

/// What has to be found out before the request goes out again.
#[derive(Debug)]
pub struct Round {
    /// What the server wants to know, by names of its own.
    pub questions: Vec<(String, Input)>,
    /// How long to wait before the request goes out again: a server that only wants it repeated is busy.
    pub pause: Duration,
    state: Option<Json>,
}

/// A server asks for input in a way that it must not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoundError {
    /// Only calls of tools, reads of resources and prompts may need input.
    #[error("{method} cannot need input")]
    NotForThis {
        /// The request's method.
        method: String,
    },
    /// Neither questions nor a state.
    #[error("the server asks for input and does not say which")]
    Empty,
    /// It never comes to an end.
    #[error("the server asked for input {limit} times")]
    TooMany {
        /// How often it may.
        limit: u32,
    },
    /// One of its questions is none.
    #[error(transparent)]
    Question(#[from] ServerInputInvalid),
}

impl Rounds {
    /// The next round, after a result that asks for it.
    ///
    /// # Errors
    /// [`RoundError`] when the server must not ask, or has asked too often.
    pub fn next(&mut self, asked: &str, result: InputRequiredResult) -> Result<Round, RoundError> {
        if !matches!(asked, method::TOOLS_CALL | method::PROMPTS_GET | method::RESOURCES_READ) {
            return Err(RoundError::NotForThis { method: asked.to_owned() });
        }
        let requests = result.input_requests.unwrap_or_default();
        if requests.is_empty() && result.request_state.is_none() {
            return Err(RoundError::Empty);
        }
        if self.done == MOST {
            return Err(RoundError::TooMany { limit: MOST });
        }
        self.done += 1;
        let pause = if requests.is_empty() {
            self.empty += 1;
            PAUSE.saturating_mul(1 << (self.empty - 1)).min(LONGEST_PAUSE)
        } else {
            self.empty = 0;
            Duration::ZERO
        };
        let questions = requests.iter().map(|(name, request)| Ok((name.to_owned(), request.input()?)));
        let questions = questions.collect::<Result<_, ServerInputInvalid>>()?;
        Ok(Round { questions, pause, state: result.request_state })
    }
}

impl Round {
    /// What stands beside the request's own params when it goes out again. The state goes back byte for byte.
    #[must_use]
    pub fn members(&self, answers: &InputResponses) -> String {
        let mut members = String::new();
        if !self.questions.is_empty() {
            let answers = Json::encode(answers).expect("names and JSON texts have a JSON form");
            members.push_str("\"inputResponses\":");
            members.push_str(answers.as_str());
        }
        if let Some(state) = &self.state {
            if !members.is_empty() {
                members.push(',');
            }
            members.push_str("\"requestState\":");
            members.push_str(state.as_str());
        }
        members
    }
}
