//! Requests of the modern era: each stands alone and names its revision (MCP 2026-07-28, basic/index).

use std::sync::OnceLock;

use codewhale_mcp_protocol::{
    DiscoverResult, EmptyResult, Era, ErrorObject, Json, ListenParams, LoggingLevel, Members, Meta,
    RequestId, ResultType, Revision, ServerCapabilities, method, write_json,
};

use crate::context::{Asking, Control, Kept, Parts, Rounds, fingerprint};
use crate::incoming::{Params, text};
use crate::offers::offers;
use crate::outlet::Outlet;
use crate::running::{Begun, Sent, begin, refused};
use crate::session::unsupported;
use crate::subscriptions::listen;
use crate::{Context, Facts, Failure, Handling, Reply, Request, Server, tasks, wire};

/// A request as it is taken up.
pub(crate) struct Taken<'a, 'm> {
    pub(crate) id: &'m str,
    pub(crate) key: &'m RequestId,
    pub(crate) method: &'m str,
    pub(crate) params: &'m Params<'a>,
    pub(crate) outlet: Outlet,
    pub(crate) facts: Facts,
}

/// Begins to answer a request.
pub(crate) fn answer(server: &Server, taken: Taken<'_, '_>, out: &mut Vec<u8>) -> (Begun, Option<Context>) {
    let (id, method, params) = (taken.id, taken.method, taken.params);
    let revision = match admit(server, params) {
        Ok(revision) => revision,
        Err(error) => return (Begun::Answered(refused(id, &error, out)), None),
    };
    if method == method::DISCOVER {
        return (Begun::Answered(discover(server, id, out)), None);
    }
    if is_removed(method) || !offers(&server.description().capabilities, method) {
        let error = Failure::method_not_found(method).into_error(revision);
        return (Begun::Answered(refused(id, &error, out)), None);
    }
    let rounds = match rounds(server, method, params, taken.facts.principal()) {
        Ok(rounds) => rounds,
        Err(failure) => return (Begun::Answered(refused(id, &failure.into_error(revision), out)), None),
    };
    let context = Context::new(Parts {
        server: server.clone(),
        revision,
        asking: Asking::Rounds(Box::new(rounds)),
        meta: params.raw_meta.map(|meta| Meta::from(Json::from(meta))),
        progress_token: params.meta.progress_token().map(Json::from),
        log_level: text(params.meta.log_level).map(|level| LoggingLevel::from(&*level)),
        capabilities: OnceLock::new(),
        outlet: taken.outlet,
        facts: taken.facts,
        control: Control::default(),
    });
    let request = Request { method, fields: params };
    let begun = begin(id, &request, context.clone(), out, |request, context| match method {
        method::LISTEN => listening(request, taken.key.clone(), context),
        method::TASKS_GET | method::TASKS_UPDATE | method::TASKS_CANCEL => {
            Handling::Ready(tasks::answer(request, &context))
        }
        _ => server.handler().handle(request, context),
    });
    (begun, Some(context))
}

/// The revision a request names, if it says all that it has to say and we speak it.
fn admit(server: &Server, params: &Params<'_>) -> Result<Revision, ErrorObject> {
    let invalid = |message: &str| Failure::invalid_params(message).into_error(Revision::NEWEST_MODERN);
    let Some(version) = params.meta.protocol_version else {
        return Err(invalid("_meta lacks io.modelcontextprotocol/protocolVersion"));
    };
    let version = text(Some(version))
        .ok_or_else(|| invalid("io.modelcontextprotocol/protocolVersion has to be a string"))?;
    match params.meta.client_capabilities {
        None => return Err(invalid("_meta lacks io.modelcontextprotocol/clientCapabilities")),
        Some(capabilities) if !capabilities.get().starts_with('{') => {
            return Err(invalid("io.modelcontextprotocol/clientCapabilities has to be an object"));
        }
        Some(_) => {}
    }
    if params.meta.progress_token.is_some() && params.meta.progress_token().is_none() {
        return Err(invalid("progressToken is neither a string nor an integer"));
    }
    if let Some(level) = params.meta.log_level {
        let known = text(Some(level)).is_some_and(|level| !LoggingLevel::from(&*level).is_unknown());
        if !known {
            return Err(invalid("io.modelcontextprotocol/logLevel is no level"));
        }
    }
    let ours = server.revisions().iter().copied().filter(|revision| revision.era() == Era::Modern);
    let spoken = ours.into_iter().find(|revision| revision.as_str() == version);
    spoken.ok_or_else(|| unsupported(server, &version, "this revision is not spoken here"))
}

/// What the legacy era has and this one has not.
fn is_removed(name: &str) -> bool {
    matches!(
        name,
        method::INITIALIZE
            | method::PING
            | method::SET_LEVEL
            | method::RESOURCES_SUBSCRIBE
            | method::RESOURCES_UNSUBSCRIBE
            | method::TASKS_RESULT
            | method::TASKS_LIST
    )
}

fn discover(server: &Server, id: &str, out: &mut Vec<u8>) -> Sent {
    let description = server.description();
    let (ttl, scope) = description.cache.clone();
    let modern = server.revisions().iter().rev().filter(|revision| revision.era() == Era::Modern);
    let result = DiscoverResult {
        result_type: Some(ResultType::Complete),
        supported_versions: modern.map(|revision| revision.as_str().to_owned()).collect(),
        // Tasks are an extension here.
        capabilities: ServerCapabilities { tasks: None, ..description.capabilities.clone() },
        instructions: description.instructions.clone(),
        ttl_ms: Some(ttl),
        cache_scope: Some(scope),
        meta: Some(description.meta(None)),
        ..DiscoverResult::default()
    };
    wire::result(id, out, |out| write_json(&result, out).expect("wire types have a JSON form"));
    Sent::Result
}

/// The round of a request that may ask; what it brought of earlier ones is checked.
fn rounds(
    server: &Server,
    name: &str,
    params: &Params<'_>,
    principal: Option<&str>,
) -> Result<Rounds, Failure> {
    if !matches!(name, method::TOOLS_CALL | method::PROMPTS_GET | method::RESOURCES_READ) {
        return Ok(Rounds::default());
    }
    let kept = match params.request_state {
        None => Kept::default(),
        Some(state) => {
            let state = text(Some(state))
                .ok_or_else(|| Failure::invalid_params("requestState has to be a string"))?;
            server.seal().open(&state, &fingerprint(name, params, principal))?
        }
    };
    let answers = match params.input_responses {
        None => Members::default(),
        Some(answers) => serde_json::from_str(answers.get())
            .map_err(|_| Failure::invalid_params("inputResponses has to be an object"))?,
    };
    Ok(Rounds::new(kept, answers))
}

fn listening(request: &Request<'_>, id: RequestId, context: Context) -> Handling {
    match request.decode::<ListenParams>() {
        Err(failure) => Handling::refused(failure),
        Ok(params) => Handling::later(async move {
            let meta = listen(id, params, context).await?;
            Ok(Reply::from(EmptyResult { meta: Some(meta), ..EmptyResult::default() }))
        }),
    }
}
