//! What clients may ask of tasks.

use codewhale_mcp_protocol::{
    ClientCapabilities, EmptyResult, Json, Members, TASKS_EXTENSION, TaskParams, UpdateTaskParams, method,
};

use crate::{Context, Failure, Reply, Request};

/// Answers `tasks/get`, `tasks/update` and `tasks/cancel`.
pub(crate) fn answer(request: &Request<'_>, context: &Context) -> Result<Reply, Failure> {
    require_declared(context)?;
    let find = |id: &str| {
        let found = context.server().tasks().find(id, context.facts().principal());
        found.ok_or_else(|| Failure::invalid_params("there is no such task"))
    };
    match request.method() {
        method::TASKS_UPDATE => {
            let params: UpdateTaskParams = request.decode()?;
            find(&params.task_id)?.answered(params.input_responses);
        }
        method::TASKS_CANCEL => find(&request.decode::<TaskParams>()?.task_id)?.cancel(),
        _ => {
            let entry = find(&request.decode::<TaskParams>()?.task_id)?;
            return Ok(Reply::Task(Box::new(entry.task())));
        }
    }
    Ok(Reply::from(EmptyResult::default()))
}

/// Whether the client declares the extension.
pub(crate) fn declares(context: &Context) -> bool {
    context.client_capabilities().extension(TASKS_EXTENSION).is_some()
}

/// Refuses clients that do not declare the extension.
pub(crate) fn require_declared(context: &Context) -> Result<(), Failure> {
    if declares(context) {
        return Ok(());
    }
    let none = Json::from_text("{}").expect("an object is JSON");
    let extensions: Members<Json> = [(TASKS_EXTENSION, none)].into_iter().collect();
    Err(Failure::not_declared(ClientCapabilities {
        extensions: Json::encode(&extensions).ok(),
        ..ClientCapabilities::default()
    }))
}
