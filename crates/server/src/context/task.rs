//! Going on as a task.

use std::time::Duration;

use codewhale_mcp_protocol::Task;

use super::Context;
use crate::tasks::{Times, require_declared};
use crate::tool::concluded;
use crate::{Failure, Handling, ToolOutput};

impl Context {
    /// Has a call of a tool go on as a task, which is what it then answers: for tools that have to ask something first, or
    /// know only then how long it takes (extension `io.modelcontextprotocol/tasks`). The tool says that it
    /// [may](crate::ToolRoute::may_become_task).
    ///
    /// # Errors
    /// When the client does not know tasks, or there are too many.
    pub fn task<R, F, Fut>(
        &self,
        lifetime: Duration,
        poll_interval: Duration,
        work: F,
    ) -> Result<Task, Failure>
    where
        R: ToolOutput,
        F: FnOnce(Self) -> Fut,
        Fut: Future<Output = Result<R, Failure>> + Send + 'static,
    {
        let begin = |context| {
            let answer = work(context);
            Handling::later(async move { concluded(answer.await.and_then(ToolOutput::into_reply)) })
        };
        require_declared(self)?;
        self.server().tasks().start(self, Times { lifetime, poll_interval }, begin)
    }
}
