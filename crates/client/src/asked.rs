//! A request of a legacy server, from its arrival to our answer.

use std::sync::Arc;

use codewhale_mcp_protocol::{
    CreateMessageResult, Input, Json, OneOrMany, Request, Revision, code, meta, method,
};
use codewhale_mcp_session::{Ask, Pen};
use codewhale_mcp_transport::End;
use tokio::sync::Notify;

use crate::error::Gone;
use crate::handler::Refusal;
use crate::shared::{Shared, wake};

/// A request of the server that waits for our answer.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) ask: Ask,
    /// The id as it came.
    pub(crate) id: Box<str>,
    pub(crate) method: Box<str>,
    pub(crate) params: Option<Json>,
    /// The answer is no longer wanted, or the connection is over.
    pub(crate) withdrawn: Arc<Notify>,
}

/// Works out the answer and sends it, unless it is no longer wanted.
pub(crate) async fn answer(shared: Arc<Shared>, asked: Asked) {
    let answer = tokio::select! {
        answer = work_out(&shared, &asked) => answer,
        () = asked.withdrawn.notified() => return,
    };
    let mut frame = Vec::new();
    match answer {
        Ok(result) => Pen::result(&asked.id, &result, &mut frame).expect("a JSON text has a JSON form"),
        Err(refusal) => Pen::error(&asked.id, refusal.code, &refusal.message, &mut frame),
    }
    let (waker, fault) = {
        let mut state = shared.lock();
        state.forget(asked.ask);
        // Looked at before: one answer may be large, but they must not pile up.
        let fault = state.overfull();
        let wanted = state.session.answer(asked.ask) && state.gone.is_none() && fault.is_none();
        (if wanted { state.append(&frame) } else { None }, fault)
    };
    if let Some(fault) = fault {
        shared.close(Gone { end: End::Closed, fault: Some(fault), last_words: Vec::new() });
    }
    wake(waker);
}

async fn work_out(shared: &Arc<Shared>, asked: &Asked) -> Result<Json, Refusal> {
    let request =
        Request { method: (*asked.method).into(), params: asked.params.clone(), ..Request::default() };
    let input = request.input().map_err(|error| Refusal::invalid(error.to_string()))?;
    let asks_somebody = !matches!(input, Input::ListRoots(_));
    let time = asks_somebody.then(|| TheirTime::begin(shared));
    let result = shared.handlers.answer(input).await?;
    drop(time);
    let revision = shared.lock().session.pen().and_then(|pen| pen.revision());
    let result = match revision {
        Some(revision) if *asked.method == *method::SAMPLING_CREATE_MESSAGE => {
            in_one_block(result, revision)?
        }
        _ => result,
    };
    Ok(with_related_task(asked.params.as_ref(), result))
}

/// Before 2025-11-25 a message has one block of content.
fn in_one_block(result: Json, revision: Revision) -> Result<Json, Refusal> {
    if revision >= Revision::V2025_11_25 {
        return Ok(result);
    }
    let Ok(mut message) = result.decode::<CreateMessageResult>() else { return Ok(result) };
    let OneOrMany::Many(blocks) = &mut message.content else { return Ok(result) };
    if blocks.len() != 1 {
        let message = format!("{revision} has no room for {} blocks of content", blocks.len());
        return Err(Refusal { code: code::INTERNAL_ERROR, message });
    }
    message.content = OneOrMany::from(blocks.remove(0));
    Json::encode(&message).map_err(|error| Refusal { code: code::INTERNAL_ERROR, message: error.to_string() })
}

/// What is asked for a task is answered for it (MCP 2025-11-25, basic/utilities/tasks).
fn with_related_task(params: Option<&Json>, result: Json) -> Json {
    let related = params.and_then(|params| params.member("_meta")?.member(meta::RELATED_TASK));
    match (related, result.as_str().strip_suffix('}')) {
        (Some(related), Some(head)) if result.member("_meta").is_none() => {
            let comma = if head.trim_end().ends_with('{') { "" } else { "," };
            let text =
                format!("{head}{comma}\"_meta\":{{\"{}\":{}}}}}", meta::RELATED_TASK, related.as_str());
            Json::from_text(text).unwrap_or(result)
        }
        _ => result,
    }
}

/// While it lives no deadline comes nearer.
struct TheirTime<'a>(&'a Shared);

impl<'a> TheirTime<'a> {
    fn begin(shared: &'a Shared) -> Self {
        let now = shared.now();
        shared.lock().session.person_asked(now);
        Self(shared)
    }
}

impl Drop for TheirTime<'_> {
    fn drop(&mut self) {
        let now = self.0.now();
        self.0.lock().session.person_answered(now);
        self.0.keeper.notify_one();
    }
}
