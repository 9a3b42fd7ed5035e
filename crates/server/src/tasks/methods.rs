//! What clients may ask of tasks.

use codewhale_mcp_protocol::{
    ClientCapabilities, EmptyResult, Era, Json, Members, TASKS_EXTENSION, TaskParams, UpdateTaskParams,
    method,
};

use crate::{Context, Failure, Reply, Request};

/// Answers `tasks/get`, `tasks/update` and `tasks/cancel` of the modern era.
pub(crate) fn answer(request: &Request<'_>, context: &Context) -> Result<Reply, Failure> {
    require_declared(context)?;
    let find = |id: &str| {
        let found = context.server().tasks().find(id, context);
        found.ok_or_else(|| Failure::invalid_params("there is no such task"))
    };
    match request.method() {
        method::TASKS_UPDATE => {
            let params: UpdateTaskParams = request.decode()?;
            let answers = params.input_responses.into_iter();
            find(&params.task_id)?.answered(answers.map(|(key, answer)| (key.into(), Ok(answer))));
        }
        // One that has come to its end stays as it is.
        method::TASKS_CANCEL => {
            find(&request.decode::<TaskParams>()?.task_id)?.cancel();
        }
        _ => {
            let entry = find(&request.decode::<TaskParams>()?.task_id)?;
            return Ok(Reply::Task(Box::new(entry.task())));
        }
    }
    Ok(Reply::from(EmptyResult::default()))
}

/// Whether the client declares the extension, which belongs to the modern era.
pub(super) fn declares(context: &Context) -> bool {
    context.era() == Era::Modern && context.client_capabilities().extension(TASKS_EXTENSION).is_some()
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
