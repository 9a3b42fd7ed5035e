//! What the client has to know of every result.

use std::time::Duration;

use codewhale_mcp_protocol::{
    Cacheable, CallToolResult, CompleteResult, Content, EmptyResult, GetPromptResult, GetSkillResult, Json,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListTasksResult,
    ListToolsResult, Members, NestedCreateTaskResult, ReadResourceResult, Reply, ReplyError, Task,
};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::client::Client;

/// A result of a request: how it is to be read, and how long it stays true.
pub trait RequestResult: DeserializeOwned {
    /// The `resultType` member; absent means `complete` (MCP 2026-07-28, basic/index).
    fn result_type(&self) -> Option<&str> {
        None
    }

    /// How long it stays true (MCP 2026-07-28, server/utilities/caching).
    fn ttl(&self) -> Duration {
        Duration::ZERO
    }

    /// Reads it.
    ///
    /// # Errors
    /// As for [`Reply::decode`].
    fn read(reply: &Reply, frame: &[u8]) -> Result<Self, ReplyError> {
        reply.decode(frame)
    }

    /// What can be used of a result that is not quite of its form.
    fn salvage(text: &str) -> Option<Self> {
        let _ = text;
        None
    }

    /// What of it this connection can use; the rest is left out.
    #[doc(hidden)]
    fn admitted(result: Self, client: &Client) -> Self {
        let _ = client;
        result
    }
}

macro_rules! results {
    ($($name:ident),*) => { $(
        impl RequestResult for $name {
            fn result_type(&self) -> Option<&str> {
                self.result_type.as_deref()
            }
        }
    )* };
}

macro_rules! cacheable_results {
    ($($name:ident),*) => { $(
        impl RequestResult for $name {
            fn result_type(&self) -> Option<&str> {
                self.result_type.as_deref()
            }

            fn ttl(&self) -> Duration {
                Cacheable::ttl(self)
            }
        }
    )* };
}

results!(GetPromptResult, CompleteResult, EmptyResult);
cacheable_results!(
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListPromptsResult,
    ReadResourceResult,
    ListSkillsResult,
    GetSkillResult
);

impl RequestResult for ListToolsResult {
    fn result_type(&self) -> Option<&str> {
        self.result_type.as_deref()
    }

    fn ttl(&self) -> Duration {
        Cacheable::ttl(self)
    }

    fn admitted(mut result: Self, client: &Client) -> Self {
        if client.shared().mirrors_arguments() {
            result.tools.retain(|tool| client.learn_headers(tool));
        }
        result
    }
}

impl RequestResult for CallToolResult {
    fn result_type(&self) -> Option<&str> {
        self.result_type.as_deref()
    }

    fn read(reply: &Reply, frame: &[u8]) -> Result<Self, ReplyError> {
        reply.decode_tool_result(frame)
    }

    /// A block that is none is shown as the JSON that it is.
    fn salvage(text: &str) -> Option<Self> {
        let as_text = |block: Json| match block.decode::<Content>() {
            Ok(_) => block,
            Err(_) => json(&Content::text(block.as_str())),
        };
        with_items(text, "content", |blocks| blocks.into_iter().map(as_text).collect())
    }
}

/// A result whose list was changed.
pub(crate) fn with_items<R: DeserializeOwned>(
    text: &str,
    member: &str,
    change: impl FnOnce(Vec<Json>) -> Vec<Json>,
) -> Option<R> {
    let members: Members<Json> = serde_json::from_str(text).ok()?;
    let mut items = Some(change(members.member(member)?.decode().ok()?));
    let changed = members.into_iter().map(|(name, value)| match &*name == member {
        true => (name, items.take().map_or(value, |items| json(&items))),
        false => (name, value),
    });
    json(&changed.collect::<Members<Json>>()).decode().ok()
}

fn json(value: &impl Serialize) -> Json {
    Json::encode(value).expect("wire types have a JSON form")
}

impl RequestResult for Task {
    /// Examples of the tasks extension show `task` where `complete` is meant, so both are taken.
    fn result_type(&self) -> Option<&str> {
        self.result_type.as_deref().filter(|kind| *kind != "task")
    }
}

impl RequestResult for NestedCreateTaskResult {}
impl RequestResult for ListTasksResult {}
impl RequestResult for Json {}
impl RequestResult for IgnoredAny {}
