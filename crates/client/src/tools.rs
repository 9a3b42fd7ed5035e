//! Tools: the whole list, and calling one.

use std::collections::HashSet;

use codewhale_mcp_protocol::{CallToolResult, ListToolsResult, PageParams, Tool, method};
use codewhale_mcp_session::Budget;
use serde::Serialize;

use crate::client::Client;
use crate::error::CallError;
use crate::request::Request;

/// A server's tools, all pages together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools {
    /// The tools in the server's order.
    pub tools: Vec<Tool>,
    /// Something that was odd about the list.
    pub warning: Option<ListWarning>,
}

/// Something odd about a list that can be used all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListWarning {
    /// The server names an empty cursor at the end of its list, and answers it with the same page again.
    #[error("the server names an empty cursor where its list ends")]
    EmptyCursorAtEnd,
}

#[derive(Debug, Serialize)]
pub(crate) struct Call<'a, A: ?Sized> {
    name: &'a str,
    arguments: &'a A,
}

impl Client {
    /// Calls a tool. `arguments` must be a JSON object.
    ///
    /// The budget is the client's `execute_timeout`, the limit on silence its `idle_timeout`, unless the
    /// request sets its own.
    pub fn call_tool<'a, A: Serialize + ?Sized>(
        &'a self,
        name: &'a str,
        arguments: &'a A,
    ) -> Request<'a, impl Serialize, CallToolResult> {
        Request::new(self, method::TOOLS_CALL, Call { name, arguments }, self.execute_budget())
    }

    /// One page of the list of tools.
    pub fn list_tools_page(&self, cursor: Option<String>) -> Request<'_, PageParams, ListToolsResult> {
        let params = PageParams { cursor, ..PageParams::default() };
        Request::new(self, method::TOOLS_LIST, params, Budget::total(self.options().read_timeout))
    }

    /// Every tool, page after page.
    ///
    /// # Errors
    /// As for any request, and when the list has no end: a cursor comes again, or there are more pages or
    /// items than [`ListLimits`](crate::ListLimits) allows.
    pub async fn list_tools(&self) -> Result<Tools, CallError> {
        let (method, limits) = (method::TOOLS_LIST, self.options().list);
        let mut all = Tools::default();
        let mut seen = HashSet::new();
        let mut cursor = None;
        for pages in 1..=limits.pages {
            let page = self.list_tools_page(cursor.clone()).send().await?;
            let empty = cursor.as_deref() == Some("") && page.next_cursor.as_deref() == Some("");
            if empty && starts_with(&all.tools, &page.tools) {
                all.warning = Some(ListWarning::EmptyCursorAtEnd);
                return Ok(all);
            }
            all.tools.extend(page.tools);
            if all.tools.len() > limits.items {
                return Err(CallError::ServerListTooLong { method, limit: limits.items, what: "items" });
            }
            let Some(next) = page.next_cursor else { return Ok(all) };
            if !seen.insert(next.clone()) {
                return Err(CallError::ServerRepeatsCursor { method, cursor: next, pages });
            }
            cursor = Some(next);
        }
        Err(CallError::ServerListTooLong { method, limit: limits.pages, what: "pages" })
    }
}

/// Whether a page brings again what the list begins with.
fn starts_with(all: &[Tool], page: &[Tool]) -> bool {
    all.iter().zip(page).all(|(one, other)| one.name == other.name) && page.len() <= all.len()
}
