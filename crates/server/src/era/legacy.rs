//! Requests of the legacy era: within a session (MCP 2025-11-25, basic/lifecycle).

use std::sync::OnceLock;

use codewhale_mcp_protocol::{EmptyResult, Json, Meta, ResourceParams, SetLevelParams, code, method};

use crate::context::{Asking, Control, Parts};
use crate::incoming::Params;
use crate::offers::offers;
use crate::outlet::Outlet;
use crate::running::{Begun, begin, refused};
use crate::session::Session;
use crate::{Context, Facts, Failure, Handling, Reply, Request, tasks};

/// A request as it is taken up.
pub(crate) struct Taken<'a, 'm> {
    pub(crate) id: &'m str,
    pub(crate) method: &'m str,
    pub(crate) params: &'m Params<'a>,
    pub(crate) outlet: Outlet,
    pub(crate) facts: Facts,
}

/// Begins to answer a request.
pub(crate) fn answer(session: &Session, taken: Taken<'_, '_>, out: &mut Vec<u8>) -> (Begun, Option<Context>) {
    let (id, method, params) = (taken.id, taken.method, taken.params);
    let server = session.server();
    let request = Request { method, fields: params };
    let refuse = |failure: Failure, out: &mut Vec<u8>| {
        (Begun::Answered(refused(id, &failure.into_error(session.revision()), out)), None)
    };
    let own = match method {
        method::PING => Some(Ok(())),
        method::SET_LEVEL if server.logs() => Some(set_level(session, &request)),
        method::RESOURCES_SUBSCRIBE if session.watches() => Some(subscribe(session, &request)),
        method::RESOURCES_UNSUBSCRIBE if session.watches() => Some(unsubscribe(session, &request)),
        method::INITIALIZE => {
            Some(Err(Failure::protocol(code::INVALID_REQUEST, "the session is open already")))
        }
        _ => None,
    };
    let done = |()| Reply::from(EmptyResult::default());
    let of_tasks = session.has_tasks() && tasks::is_of_session(method);
    let known = own.is_some() || of_tasks;
    if !known && (is_no_method(method) || !offers(&server.description().capabilities, method)) {
        return refuse(Failure::method_not_found(method), out);
    }
    let context = Context::new(Parts {
        server: server.clone(),
        revision: session.revision(),
        asking: Asking::Session(session.clone()),
        meta: params.raw_meta.map(|meta| Meta::from(Json::from(meta))),
        progress_token: params.meta.progress_token().map(Json::from),
        log_level: None,
        capabilities: OnceLock::new(),
        outlet: taken.outlet,
        facts: taken.facts,
        control: Control::default(),
    });
    let begun = begin(id, &request, context.clone(), out, |request, context| match own {
        Some(own) => Handling::Ready(own.map(done)),
        None if of_tasks => tasks::answer_in_session(session, request, context),
        None => server.handler().handle(request, context),
    });
    (begun, Some(context))
}

/// What we do not offer, or what the other era has.
fn is_no_method(name: &str) -> bool {
    matches!(
        name,
        method::SET_LEVEL
            | method::RESOURCES_SUBSCRIBE
            | method::RESOURCES_UNSUBSCRIBE
            | method::DISCOVER
            | method::LISTEN
            | method::TASKS_GET
            | method::TASKS_UPDATE
            | method::TASKS_CANCEL
            | method::TASKS_LIST
            | method::TASKS_RESULT
    )
}

fn set_level(session: &Session, request: &Request<'_>) -> Result<(), Failure> {
    let params: SetLevelParams = request.decode()?;
    if params.level.is_unknown() {
        return Err(Failure::invalid_params(format!("there is no level {:?}", params.level.as_str())));
    }
    session.set_log_level(params.level);
    Ok(())
}

fn subscribe(session: &Session, request: &Request<'_>) -> Result<(), Failure> {
    let params: ResourceParams = request.decode()?;
    let limit = session.server().limits().subscriptions;
    match session.listener().watch(&params.uri, limit) {
        true => Ok(()),
        false => Err(Failure::invalid_params(format!("at most {limit} resources are watched"))),
    }
}

fn unsubscribe(session: &Session, request: &Request<'_>) -> Result<(), Failure> {
    let params: ResourceParams = request.decode()?;
    session.listener().unwatch(&params.uri);
    Ok(())
}
