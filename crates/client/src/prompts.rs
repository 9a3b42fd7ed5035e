//! Prompts: the list of them, and getting one; completion of arguments.

use codewhale_mcp_protocol::{
    CompleteParams, CompleteResult, CompletionArgument, CompletionContext, CompletionReference,
    GetPromptResult, ListPromptsResult, Members, PageParams, Prompt, method,
};
use codewhale_mcp_session::Budget;
use serde::Serialize;

use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::lists::{List, Listed, Page};
use crate::request::Request;

const PROMPTS: List<ListPromptsResult, Prompt> = List {
    method: method::PROMPTS_LIST,
    kind: Some(Kind::Prompts),
    page: |result| Page { items: result.prompts, next: result.next_cursor },
    name: |prompt| &prompt.name,
};

#[derive(Debug, Serialize)]
struct Get<'a> {
    name: &'a str,
    arguments: &'a Members<String>,
}

impl Client {
    /// One page of the list of prompts.
    pub fn list_prompts_page(&self, cursor: Option<String>) -> Request<'_, PageParams, ListPromptsResult> {
        PROMPTS.request(self, cursor)
    }

    /// Every prompt, page after page.
    ///
    /// # Errors
    /// As for [`Client::list_tools`].
    pub async fn list_prompts(&self) -> Result<Listed<Prompt>, CallError> {
        PROMPTS.all(self).await
    }

    /// Gets a prompt (MCP 2026-07-28, server/prompts). The budget is the client's `execute_timeout`.
    pub fn get_prompt<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a Members<String>,
    ) -> Request<'a, impl Serialize, GetPromptResult> {
        Request::new(self, method::PROMPTS_GET, Get { name, arguments }, self.execute_budget()).named(name)
    }

    /// Asks for values that an argument could have (MCP 2026-07-28, server/utilities/completion). `known` are the
    /// arguments that have theirs already.
    pub fn complete(
        &self,
        reference: CompletionReference,
        argument: (&str, &str),
        known: Members<String>,
    ) -> Request<'_, CompleteParams, CompleteResult> {
        let (name, value) = argument;
        let argument =
            CompletionArgument { name: name.into(), value: value.into(), ..CompletionArgument::default() };
        let context = (!known.is_empty())
            .then(|| CompletionContext { arguments: Some(known), ..CompletionContext::default() });
        let params = CompleteParams { reference, argument, context, ..CompleteParams::default() };
        Request::new(self, method::COMPLETE, params, Budget::total(self.options().read_timeout))
    }
}
