//! The request that stays open and brings what changes (MCP 2026-07-28, basic/patterns/subscriptions).

use std::sync::Arc;

use codewhale_mcp_protocol::{
    AcknowledgedParams, BareParams, CancelledParams, ElicitationCompleteParams, Json, ListenParams, Meta,
    MetaMembers, RequestId, ResourceParams, ServerCapabilities, SubscriptionFilter, TASKS_EXTENSION, method,
};

use super::{Listener, News};
use crate::outlet::{Gone, Outlet};
use crate::{Context, Failure, wire};

/// Tells what changes until the client has had enough, or the server ends. The answer to the request says the latter.
pub(crate) async fn listen(id: RequestId, params: ListenParams, context: Context) -> Result<Meta, Failure> {
    let parts = context.parts();
    let server = &parts.server;
    if params.notifications.task_ids.is_some() {
        crate::tasks::require_declared(&context)?;
    }
    let filter =
        honoured(&params.notifications, &server.description().capabilities, server.limits().subscriptions)?;
    let filter = SubscriptionFilter {
        task_ids: filter.task_ids.map(|ids| server.tasks().known(ids, &context)),
        ..filter
    };
    let listener = Arc::new(Listener::of(&filter));
    server.hub().join(&listener);
    let meta = Meta::from(&MetaMembers { subscription_id: Some(id.clone()), ..MetaMembers::default() });
    let acknowledged = AcknowledgedParams {
        notifications: filter,
        meta: Some(meta.clone()),
        ..AcknowledgedParams::default()
    };
    let told = wire::notification(method::SUBSCRIPTIONS_ACKNOWLEDGED, &acknowledged);
    let left = |_: Gone| Failure::told("the client has left");
    parts.outlet.send(told).await.map_err(left)?;
    let mut ended = server.ended();
    loop {
        tokio::select! {
            biased;
            () = ended.wait() => break,
            news = listener.next() => {
                parts.outlet.send(notification(news, Some(&meta))).await.map_err(left)?;
            }
        }
    }
    // Between lines the end is said in both of the ways that the specification has.
    if let Outlet::Lines(_) = parts.outlet {
        let params = CancelledParams { request_id: Json::encode(&id).ok(), ..CancelledParams::default() };
        parts.outlet.send(wire::notification(method::CANCELLED, &params)).await.map_err(left)?;
    }
    Ok(meta)
}

/// The part of the wishes that we can fulfil.
fn honoured(
    wishes: &SubscriptionFilter,
    ours: &ServerCapabilities,
    limit: usize,
) -> Result<SubscriptionFilter, Failure> {
    let counts = [wishes.resource_subscriptions.as_ref(), wishes.task_ids.as_ref()];
    if counts.into_iter().flatten().any(|wanted| wanted.len() > limit) {
        return Err(Failure::invalid_params(format!(
            "a subscription has at most {limit} resources and tasks"
        )));
    }
    let lists = |able: &Option<codewhale_mcp_protocol::ListCapability>| {
        able.as_ref().is_some_and(|able| able.list_changed)
    };
    let wanted = |wish: Option<bool>, able: bool| (wish == Some(true) && able).then_some(true);
    let watches = ours.resources.as_ref().is_some_and(|able| able.subscribe);
    Ok(SubscriptionFilter {
        tools_list_changed: wanted(wishes.tools_list_changed, lists(&ours.tools)),
        prompts_list_changed: wanted(wishes.prompts_list_changed, lists(&ours.prompts)),
        resources_list_changed: wanted(wishes.resources_list_changed, lists(&ours.resources)),
        resource_subscriptions: wishes.resource_subscriptions.clone().filter(|_| watches),
        task_ids: wishes.task_ids.clone().filter(|_| ours.extension(TASKS_EXTENSION).is_some()),
        ..SubscriptionFilter::default()
    })
}

/// The notification, with what says to which subscription it belongs.
pub(crate) fn notification(news: News, meta: Option<&Meta>) -> Vec<u8> {
    let bare = BareParams { meta: meta.cloned(), ..BareParams::default() };
    match news {
        News::Tools => wire::notification(method::TOOLS_LIST_CHANGED, &bare),
        News::Prompts => wire::notification(method::PROMPTS_LIST_CHANGED, &bare),
        News::Resources => wire::notification(method::RESOURCES_LIST_CHANGED, &bare),
        News::Resource(uri) => {
            let params = ResourceParams { uri, meta: meta.cloned(), ..ResourceParams::default() };
            wire::notification(method::RESOURCES_UPDATED, &params)
        }
        News::Visited(elicitation_id) => {
            let params = ElicitationCompleteParams { elicitation_id, ..ElicitationCompleteParams::default() };
            wire::notification(method::ELICITATION_COMPLETE, &params)
        }
        News::Task(mut task) => {
            // A session has no subscriptions, and another name for this.
            let name = if meta.is_some() { method::TASKS } else { method::TASKS_STATUS };
            task.meta = meta.cloned();
            wire::notification(name, &Json::encode(&*task).expect("wire types have a JSON form"))
        }
    }
}
