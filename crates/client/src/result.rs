//! What the client has to know of every result.

use std::time::Duration;

use codewhale_mcp_protocol::{
    Cacheable, CallToolResult, CompleteResult, EmptyResult, GetPromptResult, Json, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListTasksResult, ListToolsResult,
    NestedCreateTaskResult, ReadResourceResult, Task,
};
use serde::de::{DeserializeOwned, IgnoredAny};

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

results!(CallToolResult, GetPromptResult, CompleteResult, EmptyResult);
cacheable_results!(
    ListToolsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListPromptsResult,
    ReadResourceResult
);

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
