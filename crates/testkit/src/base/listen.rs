//! Subscriptions of the modern era, and what a legacy client is told without one.

use super::era::Era;
use super::server::Base;
use crate::message::Message;
use crate::out::{Mark, Out};
use serde_json::Value;

/// One open `subscriptions/listen` request.
pub(crate) struct Listener {
    /// The raw id of the request.
    id: String,
    /// What was asked for and honoured.
    filter: Value,
    /// Where it is told.
    out: Out,
}

/// A list that changes: the method that says so, and the member of a filter that asks for it.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    method: &'static str,
    filter: &'static str,
}

/// The list of tools.
pub(crate) const TOOLS_CHANGED: Change =
    Change { method: "notifications/tools/list_changed", filter: "toolsListChanged" };
/// The list of prompts.
pub(crate) const PROMPTS_CHANGED: Change =
    Change { method: "notifications/prompts/list_changed", filter: "promptsListChanged" };
/// The list of resources.
pub(crate) const RESOURCES_CHANGED: Change =
    Change { method: "notifications/resources/list_changed", filter: "resourcesListChanged" };

impl Base {
    /// Opens a subscription and acknowledges what of it is honoured.
    pub(crate) fn listen(&mut self, id: &str, message: &Message, out: &Out) {
        let wanted = message.param("notifications").unwrap_or("{}");
        let mut filter: Value = serde_json::from_str(wanted).unwrap_or_default();
        let mut acknowledged = wanted.to_owned();
        if let (Some(honours), Some(members)) = (&self.honours, filter.as_object_mut()) {
            members.retain(|name, _| honours.iter().any(|honoured| honoured == name));
            acknowledged = filter.to_string();
        }
        self.listeners.push(Listener { id: id.to_owned(), filter, out: out.clone() });
        let method = "notifications/subscriptions/acknowledged";
        out.message(notification(method, &format!(r#""notifications":{acknowledged},{}"#, subscribed(id))));
    }

    /// Tells the client that a list is old: the subscriptions that ask for it, and a legacy client.
    pub(crate) fn changed(&self, change: Change, out: &Out) {
        if self.era != Era::Modern {
            out.message(format!(r#"{{"jsonrpc":"2.0","method":"{}"}}"#, change.method));
        }
        self.tell_listeners(change.method, "", |filter| filter[change.filter] == true);
    }

    /// Tells the subscriptions that a predicate picks; returns how many there were.
    pub(crate) fn tell_listeners(
        &self,
        method: &str,
        members: &str,
        picks: impl Fn(&Value) -> bool,
    ) -> usize {
        let comma = if members.is_empty() { "" } else { "," };
        let picked = self.listeners.iter().filter(|listener| picks(&listener.filter));
        picked
            .map(|to| {
                to.out.message(notification(method, &format!("{members}{comma}{}", subscribed(&to.id))))
            })
            .count()
    }

    /// Ends every subscription, by a notification, by its result, or by both; returns how many there were.
    pub(crate) fn end_listeners(&mut self, how: &str) -> usize {
        let ended = std::mem::take(&mut self.listeners);
        for Listener { id, out, .. } in &ended {
            if how != "result" {
                let reason = r#""reason":"the server ends its subscriptions""#;
                out.message(notification(
                    "notifications/cancelled",
                    &format!(r#""requestId":{id},{reason}"#),
                ));
            }
            if how != "cancelled" {
                let result = format!(r#"{{"resultType":"complete",{}}}"#, subscribed(id));
                out.message(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
            }
        }
        ended.len()
    }

    /// Tells every subscription a message as it is.
    pub(crate) fn say_to_listeners(&self, line: &str) {
        self.listeners.iter().for_each(|listener| listener.out.message(line));
    }

    /// A client has gone away, and its subscription with it.
    pub(crate) fn forget_listener(&mut self, mark: &Mark) {
        self.listeners.retain(|listener| !listener.out.is(mark));
    }

    /// The client ends a subscription.
    pub(super) fn unlisten(&mut self, id: &str) {
        self.listeners.retain(|listener| listener.id != id);
    }
}

fn notification(method: &str, members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{members}}}}}"#)
}

fn subscribed(id: &str) -> String {
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}
