//! Lists that come in pages.

use std::collections::HashSet;
use std::time::Duration;

use codewhale_mcp_protocol::PageParams;
use codewhale_mcp_session::Budget;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::ahead::next_cursor;
use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::request::Request;
use crate::result::{RequestResult, with_items};

/// A whole list, all pages together.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<T> {
    /// The items in the server's order.
    pub items: Vec<T>,
    /// Something that was odd about the list.
    pub warning: Option<ListWarning>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { items: Vec::new(), warning: None }
    }
}

/// Something odd about a list that can be used all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListWarning {
    /// The server names an empty cursor at the end of its list, and answers it with the same page again.
    #[error("the server names an empty cursor where its list ends")]
    EmptyCursorAtEnd,
    /// Some entries are not what they should be, and were left out.
    #[error("{left_out} of the list's entries cannot be read and were left out")]
    LeftOut {
        /// How many.
        left_out: usize,
    },
}

/// One page: its items, and where the next one begins.
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next: Option<String>,
}

/// One page of a list as a result.
pub(crate) trait ListResult: RequestResult {
    type Item: DeserializeOwned;
    const MEMBER: &'static str;
}

macro_rules! list_results {
    ($($name:ident: $item:ident = $member:literal),* $(,)?) => { $(
        impl ListResult for codewhale_mcp_protocol::$name {
            type Item = codewhale_mcp_protocol::$item;
            const MEMBER: &'static str = $member;
        }
    )* };
}

list_results!(
    ListToolsResult: Tool = "tools",
    ListPromptsResult: Prompt = "prompts",
    ListResourcesResult: Resource = "resources",
    ListResourceTemplatesResult: ResourceTemplate = "resourceTemplates",
    ListTasksResult: Task = "tasks",
    ListSkillsResult: Skill = "skills",
);

/// A page without the entries that cannot be read: one of them must not hide all others.
pub(crate) struct Readable<R> {
    page: R,
    left_out: usize,
}

impl<'de, R: Deserialize<'de>> Deserialize<'de> for Readable<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        R::deserialize(deserializer).map(|page| Self { page, left_out: 0 })
    }
}

impl<R: ListResult> RequestResult for Readable<R> {
    fn result_type(&self) -> Option<&str> {
        self.page.result_type()
    }

    fn ttl(&self) -> Duration {
        self.page.ttl()
    }

    fn admitted(result: Self, client: &Client) -> Self {
        Self { page: R::admitted(result.page, client), ..result }
    }

    fn salvage(text: &str) -> Option<Self> {
        let mut left_out = 0;
        let page = with_items(text, R::MEMBER, |mut items| {
            let all = items.len();
            items.retain(|item| item.decode::<R::Item>().is_ok());
            left_out = all - items.len();
            items
        });
        page.map(|page| Self { page, left_out })
    }
}

/// A kind of list.
pub(crate) struct List<R, T> {
    pub(crate) method: &'static str,
    pub(crate) kind: Option<Kind>,
    pub(crate) page: fn(R) -> Page<T>,
    /// What tells two items apart.
    pub(crate) name: fn(&T) -> &str,
}

impl<R: ListResult, T> List<R, T> {
    /// One page.
    pub(crate) fn request<'a>(
        &self,
        client: &'a Client,
        cursor: Option<String>,
    ) -> Request<'a, PageParams, R> {
        self.request_as(client, cursor)
    }

    fn request_as<'a, A: RequestResult>(
        &self,
        client: &'a Client,
        cursor: Option<String>,
    ) -> Request<'a, PageParams, A> {
        let params = PageParams { cursor: cursor.clone(), ..PageParams::default() };
        let budget = Budget::total(client.options().read_timeout);
        let request = Request::new(client, self.method, params, budget);
        match self.kind {
            Some(kind) => request.cached((kind, cursor)),
            None => request,
        }
    }

    /// Every page after the other (MCP 2026-07-28, server/utilities/pagination).
    pub(crate) async fn all(&self, client: &Client) -> Result<Listed<T>, CallError> {
        let (method, limits) = (self.method, client.options().list);
        let mut all = Listed::default();
        let mut seen = HashSet::new();
        let mut left_out = 0;
        let mut cursor = None;
        let mut early = None;
        for pages in 1..=limits.pages {
            // The next page is asked for before this one is read, where it is plain which one that is.
            let ahead = |result: &[u8]| {
                let next =
                    next_cursor(result).filter(|next| pages < limits.pages && !seen.contains(*next))?;
                let early = self.request_as::<Readable<R>>(client, Some(next.to_owned())).send_early();
                early.map(|early| (early, next.to_owned()))
            };
            let request = self.request_as(client, cursor.clone());
            let (read, ahead): (Readable<R>, _) = request.send_on(early, ahead).await?;
            left_out += read.left_out;
            all.warning = (left_out > 0).then_some(ListWarning::LeftOut { left_out });
            let page = (self.page)(read.page);
            let empty = cursor.as_deref() == Some("") && page.next.as_deref() == Some("");
            if empty && self.starts_with(&all.items, &page.items) {
                all.warning = Some(ListWarning::EmptyCursorAtEnd);
                return Ok(all);
            }
            match all.items.is_empty() {
                true => all.items = page.items,
                false => all.items.extend(page.items),
            }
            if all.items.len() > limits.items {
                return Err(CallError::ServerListTooLong { method, limit: limits.items, what: "items" });
            }
            let Some(next) = page.next else { return Ok(all) };
            if !seen.insert(next.clone()) {
                return Err(CallError::ServerRepeatsCursor { method, cursor: next, pages });
            }
            early = ahead.flatten().filter(|(_, cursor)| *cursor == next).map(|(early, _)| early);
            cursor = Some(next);
        }
        Err(CallError::ServerListTooLong { method, limit: limits.pages, what: "pages" })
    }

    /// Whether a page brings again what the list begins with.
    fn starts_with(&self, all: &[T], page: &[T]) -> bool {
        all.iter().zip(page).all(|(one, other)| (self.name)(one) == (self.name)(other))
            && page.len() <= all.len()
    }
}
