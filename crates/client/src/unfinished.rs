//! What follows an answer that is not the end: input, another revision, a task.

use std::pin::Pin;
use std::time::Duration;

use codewhale_mcp_protocol::{
    ElicitAction, ElicitParams, ElicitResult, ErrorObject, Input, InputRequiredResult, method,
};
use codewhale_mcp_protocol::{InputResponses, Task};
use codewhale_mcp_session::{Budget, Round, Rounds, Time};
use serde::Serialize;

use crate::client::Client;
use crate::error::CallError;
use crate::request::{Ask, OnProgress, Read};
use crate::result::RequestResult;
use crate::tasks::{Patience, TaskHandle};

/// How often a legacy server may send people to addresses for one request.
const MOST_ELICITATIONS: u32 = 8;

/// An answer that is not the end.
pub(crate) enum Unfinished {
    /// The server needs input first (MCP 2026-07-28, basic/patterns/mrtr).
    Input(InputRequiredResult),
    /// The server does not speak the request's revision (MCP 2026-07-28, basic/versioning).
    OtherRevision(ErrorObject),
    /// The tool wants other headers than it said before (MCP 2026-07-28, basic/transports/streamable-http).
    OtherHeaders(ErrorObject),
    /// People have to go to addresses first (MCP 2025-11-25, client/elicitation).
    Elicitations(Vec<ElicitParams>, ErrorObject),
    /// The server works on it and says when it is done (tasks extension).
    Task(Box<Task>),
}

impl<P: Serialize> Ask<'_, P> {
    /// Goes on until there is a result, of a request that was sent at `since`.
    pub(crate) async fn finish<R: RequestResult>(
        self,
        mut next: Unfinished,
        since: Time,
        mut on_progress: OnProgress<'_>,
    ) -> Result<R, CallError> {
        let shared = self.client.shared();
        // The time that was waited for the server.
        let mut spent = shared.now().saturating_sub(since);
        let mut rounds = Rounds::default();
        let (mut reselected, mut relisted, mut elicitations) = (false, false, 0);
        let mut members: Option<String> = None;
        loop {
            match next {
                Unfinished::Input(result) => {
                    let round = rounds.next(self.method, result);
                    let round = round
                        .map_err(|source| CallError::ServerAsksWrongly { method: self.method, source })?;
                    let pause = round.pause.min(self.budget.total.saturating_sub(spent));
                    tokio::time::sleep(pause).await;
                    spent += pause;
                    members = Some(round.members(&self.gather(&round).await?));
                }
                Unfinished::OtherRevision(error) => {
                    let theirs = error.supported_versions();
                    if reselected || !shared.reselect(&theirs) {
                        return Err(CallError::ServerError { method: self.method, error });
                    }
                    reselected = true;
                }
                Unfinished::OtherHeaders(error) => {
                    if relisted {
                        return Err(CallError::ServerError { method: self.method, error });
                    }
                    relisted = true;
                    let begun = shared.now();
                    if relist(self.client).await.is_err() {
                        return Err(CallError::ServerError { method: self.method, error });
                    }
                    spent += shared.now().saturating_sub(begun);
                }
                Unfinished::Elicitations(people, error) => {
                    elicitations += 1;
                    if elicitations > MOST_ELICITATIONS {
                        return Err(CallError::ServerError { method: self.method, error });
                    }
                    self.send_people(people).await?;
                }
                Unfinished::Task(task) => return self.wait_for(*task, spent).await,
            }
            let total = self.budget.total.saturating_sub(spent);
            if total.is_zero() {
                return Err(self.timed_out());
            }
            let budget = Budget { total, ..self.budget };
            let (outcome, since) = self.insist(budget, members.as_deref(), &mut on_progress).await?;
            spent += shared.now().saturating_sub(since);
            let (frame, reply) = self.answered(outcome)?;
            match self.read(&frame, &reply)? {
                Read::Whole(result) | Read::Mended(result, _) => return Ok(result),
                Read::Unfinished(unfinished) => next = unfinished,
            }
        }
    }

    /// One question after another: people are not asked two things at a time, and nothing at all when the server must
    /// not ask one of them.
    async fn gather(&self, round: &Round) -> Result<InputResponses, CallError> {
        for (_, input) in &round.questions {
            let declared = self.client.shared().handlers.may_be_asked(input);
            declared.map_err(|refusal| self.input_refused(refusal))?;
        }
        let mut answers = InputResponses::default();
        for (name, input) in &round.questions {
            let answer = self.client.shared().handlers.answer(input.clone()).await;
            answers.push(name.as_str(), answer.map_err(|refusal| self.input_refused(refusal))?);
        }
        Ok(answers)
    }

    async fn send_people(&self, people: Vec<ElicitParams>) -> Result<(), CallError> {
        for params in people {
            let answer = self.client.shared().handlers.answer(Input::Elicit(Box::new(params))).await;
            let answer = answer.map_err(|refusal| self.input_refused(refusal))?;
            let accepted =
                answer.decode::<ElicitResult>().is_ok_and(|result| result.action == ElicitAction::Accept);
            if !accepted {
                return Err(self.input_refused(crate::handler::Refusal::rejected("the person did not agree")));
            }
        }
        Ok(())
    }

    fn input_refused(&self, refusal: crate::handler::Refusal) -> CallError {
        CallError::InputRefused { method: self.method, refusal }
    }

    async fn wait_for<R: RequestResult>(&self, task: Task, spent: Duration) -> Result<R, CallError> {
        let handle = TaskHandle::of(self.client, &task).cancelled_on_drop();
        let total = self.budget.total;
        let result = handle.follow(task, Patience::of(total, total.saturating_sub(spent))).await?;
        result.decode().map_err(|error| self.invalid(error.to_string()))
    }
}

/// Reads the list of tools again, whatever is kept of it. Boxed by hand, because reading a list is a request like the
/// one that asks for this.
fn relist(client: &Client) -> Pin<Box<dyn Future<Output = Result<(), CallError>> + Send + '_>> {
    client.shared().lock().changes.note(method::TOOLS_LIST_CHANGED);
    Box::pin(async { client.list_tools().await.map(drop) })
}
