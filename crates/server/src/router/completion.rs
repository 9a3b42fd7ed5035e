//! How the arguments of prompts and templates might go on (MCP 2026-07-28, server/utilities/completion).

use codewhale_mcp_protocol::{CompleteParams, CompleteResult, Completion};

use crate::{Context, Failure, Handling, Reply, Request};

/// The most proposals of one answer.
const MOST: usize = 100;

type Complete = Box<dyn Fn(CompleteParams, Context) -> Handling + Send + Sync>;

/// What completes arguments: see [`completion`].
#[must_use = "a completion is offered by a server"]
pub struct CompletionRoute(Complete);

/// What completes the arguments of prompts and templates; of its proposals the first hundred are told.
pub fn completion<F, Fut>(function: F) -> CompletionRoute
where
    F: Fn(CompleteParams, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Completion, Failure>> + Send + 'static,
{
    CompletionRoute(Box::new(move |params, context| {
        let proposals = function(params, context);
        Handling::later(async move {
            let mut completion = proposals.await?;
            if completion.values.len() > MOST {
                completion.total.get_or_insert_with(|| completion.values.len().into());
                completion.values.truncate(MOST);
                completion.has_more = Some(true);
            }
            Ok(Reply::from(CompleteResult { completion, ..CompleteResult::default() }))
        })
    }))
}

impl CompletionRoute {
    pub(super) fn call(&self, request: &Request<'_>, context: Context) -> Handling {
        match request.decode() {
            Ok(params) => (self.0)(params, context),
            Err(failure) => Handling::refused(failure),
        }
    }
}
