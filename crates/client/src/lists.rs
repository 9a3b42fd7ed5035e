//! Lists that come in pages.

use std::collections::HashSet;

use codewhale_mcp_protocol::PageParams;
use codewhale_mcp_session::Budget;

use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::request::Request;
use crate::result::RequestResult;

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
}

/// One page: its items, and where the next one begins.
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next: Option<String>,
}

/// A kind of list.
pub(crate) struct List<R, T> {
    pub(crate) method: &'static str,
    pub(crate) kind: Option<Kind>,
    pub(crate) page: fn(R) -> Page<T>,
    /// What tells two items apart.
    pub(crate) name: fn(&T) -> &str,
}

impl<R: RequestResult, T> List<R, T> {
    /// One page.
    pub(crate) fn request<'a>(
        &self,
        client: &'a Client,
        cursor: Option<String>,
    ) -> Request<'a, PageParams, R> {
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
        let mut cursor = None;
        for pages in 1..=limits.pages {
            let page = (self.page)(self.request(client, cursor.clone()).send().await?);
            let empty = cursor.as_deref() == Some("") && page.next.as_deref() == Some("");
            if empty && self.starts_with(&all.items, &page.items) {
                all.warning = Some(ListWarning::EmptyCursorAtEnd);
                return Ok(all);
            }
            all.items.extend(page.items);
            if all.items.len() > limits.items {
                return Err(CallError::ServerListTooLong { method, limit: limits.items, what: "items" });
            }
            let Some(next) = page.next else { return Ok(all) };
            if !seen.insert(next.clone()) {
                return Err(CallError::ServerRepeatsCursor { method, cursor: next, pages });
            }
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
