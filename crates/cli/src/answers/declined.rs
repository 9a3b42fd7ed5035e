//! The questions that were declined, and whether that was meant.

use codewhale_mcp_redact::safe_line;

use super::dialog::short;
use crate::exit::Exit;
use crate::failure::Failure;

/// The most characters of a question that name it.
const NAME: usize = 100;

/// What was declined in one run.
#[derive(Default)]
pub(super) struct Declined {
    questions: Vec<String>,
    /// Why answers of the file could not be given.
    misfits: Vec<String>,
}

impl Declined {
    /// One more; `misfit` says why there was an answer in the file and it could not be given.
    pub(super) fn add(&mut self, question: &str, misfit: Option<String>) {
        let question = format!("declined: \"{}\"", safe_line(&short(question, NAME)));
        match misfit {
            Some(why) => {
                self.questions.push(format!("{question}: the answer in the file does not fit: {why}"));
                self.misfits.push(why);
            }
            None => self.questions.push(question),
        }
    }

    /// A line for each.
    pub(super) fn lines(&self) -> Vec<String> {
        self.questions.clone()
    }

    /// How a run ends for which answers were meant that could not be given.
    pub(super) fn settle(&mut self, outcome: Result<Exit, Failure>) -> Result<Exit, Failure> {
        let why = std::mem::take(&mut self.misfits);
        match outcome {
            Ok(exit @ (Exit::Interrupted | Exit::Terminated)) => Ok(exit),
            outcome if why.is_empty() => outcome,
            Ok(_) => Err(Failure::AnswersMisfit { why, source: None }),
            Err(source) if source.is_silent() => Err(source),
            Err(source) => Err(Failure::AnswersMisfit { why, source: Some(Box::new(source)) }),
        }
    }
}
