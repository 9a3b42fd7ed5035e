//! What all results share: how they are to be read, and how long they stay true.

use std::time::Duration;

use crate::open::open_object;
use crate::word::open_word;
use crate::{Json, Meta};

open_word! {
    /// How a result is to be read (MCP 2026-07-28, basic/index). An absent one means `complete`, an unknown
    /// one that the result is invalid.
    pub enum ResultType {
        /// It is what was asked for.
        Complete = "complete",
        /// The server needs an answer first, see [`InputRequiredResult`](crate::InputRequiredResult).
        InputRequired = "input_required",
        /// The server made a task of it, see [`Task`](crate::Task) (modern tasks extension).
        Task = "task",
    }
}

open_object! {
    /// A result that says nothing, or nothing that is known (`Result`, `EmptyResult`).
    ///
    /// Answers `ping`, `logging/setLevel`, `resources/subscribe`, `resources/unsubscribe`, `tasks/update` and
    /// modern `tasks/cancel`, and ends `subscriptions/listen`, with the `subscriptionId` in `_meta`.
    pub struct EmptyResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_word! {
    /// Who may share a result (MCP 2026-07-28, server/utilities/caching).
    pub enum CacheScope {
        /// Everybody.
        Public = "public",
        /// Only who has the same authorization.
        Private = "private",
    }
}

/// A result that stays true for a while (MCP 2026-07-28, server/utilities/caching).
pub trait Cacheable {
    /// How long, from when it was received. Zero for legacy servers, and for what is no number above zero.
    fn ttl(&self) -> Duration;

    /// Who may share it. Nobody where the server does not say so.
    fn scope(&self) -> CacheScope;
}

/// A number of milliseconds; zero for what is no number above zero. `1.0` is one.
pub(crate) fn milliseconds(json: Option<&Json>) -> Duration {
    let Some(number) = json.and_then(|json| json.decode::<serde_json::Number>().ok()) else {
        return Duration::ZERO;
    };
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => Duration::from_millis(whole),
        // `as` saturates: below zero is zero, and what is too large is the largest.
        (None, Some(float)) => Duration::from_millis(float as u64),
        (None, None) => Duration::ZERO,
    }
}

macro_rules! cacheable {
    ($($name:ident),*) => { $(
        impl Cacheable for crate::$name {
            fn ttl(&self) -> Duration {
                milliseconds(self.ttl_ms.as_ref())
            }

            fn scope(&self) -> CacheScope {
                self.cache_scope.clone().unwrap_or(CacheScope::Private)
            }
        }
    )* };
}

cacheable!(
    DiscoverResult,
    ListToolsResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    ListSkillsResult,
    GetSkillResult
);
