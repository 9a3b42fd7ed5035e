//! Subscriptions of the modern era: one request that stays open and brings notifications.

use crate::Meta;
use crate::open::open_object;

open_object! {
    /// What is to be told (`subscriptions/listen`; MCP 2026-07-28, basic/patterns/subscriptions).
    pub struct ListenParams {
        /// What the client wants to hear.
        required notifications: SubscriptionFilter = "notifications",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What the server will tell: the part of the wishes that it honours, before anything else of the
    /// subscription.
    pub struct AcknowledgedParams {
        /// What the client will hear.
        required notifications: SubscriptionFilter = "notifications",
        /// Anything more, the `subscriptionId` among it.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Kinds of notifications. Absent is no.
    pub struct SubscriptionFilter {
        /// The list of tools changed.
        optional tools_list_changed: bool = "toolsListChanged",
        /// The list of prompts changed.
        optional prompts_list_changed: bool = "promptsListChanged",
        /// The list of resources changed.
        optional resources_list_changed: bool = "resourcesListChanged",
        /// Resources with these addresses changed.
        optional resource_subscriptions: Vec<String> = "resourceSubscriptions",
        /// Tasks with these ids changed (tasks extension).
        optional task_ids: Vec<String> = "taskIds",
    }
}
