//! Resources and templates of them: the lists, and reading one.

use codewhale_mcp_protocol::{
    ListResourceTemplatesResult, ListResourcesResult, PageParams, ReadResourceResult, Resource,
    ResourceTemplate, method,
};
use codewhale_mcp_session::Budget;
use serde::Serialize;

use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::lists::{List, Listed, Page};
use crate::request::Request;

const RESOURCES: List<ListResourcesResult, Resource> = List {
    method: method::RESOURCES_LIST,
    kind: Some(Kind::Resources),
    page: |result| Page { items: result.resources, next: result.next_cursor },
    name: |resource| &resource.uri,
};

const TEMPLATES: List<ListResourceTemplatesResult, ResourceTemplate> = List {
    method: method::RESOURCES_TEMPLATES_LIST,
    kind: Some(Kind::Templates),
    page: |result| Page { items: result.resource_templates, next: result.next_cursor },
    name: |template| &template.uri_template,
};

/// The address of a resource.
#[derive(Debug, Serialize)]
pub(crate) struct Uri<'a> {
    pub(crate) uri: &'a str,
}

impl Client {
    /// One page of the list of resources.
    pub fn list_resources_page(
        &self,
        cursor: Option<String>,
    ) -> Request<'_, PageParams, ListResourcesResult> {
        RESOURCES.request(self, cursor)
    }

    /// Every resource, page after page.
    ///
    /// # Errors
    /// As for [`Client::list_tools`].
    pub async fn list_resources(&self) -> Result<Listed<Resource>, CallError> {
        RESOURCES.all(self).await
    }

    /// One page of the list of templates.
    pub fn list_resource_templates_page(
        &self,
        cursor: Option<String>,
    ) -> Request<'_, PageParams, ListResourceTemplatesResult> {
        TEMPLATES.request(self, cursor)
    }

    /// Every template, page after page.
    ///
    /// # Errors
    /// As for [`Client::list_tools`].
    pub async fn list_resource_templates(&self) -> Result<Listed<ResourceTemplate>, CallError> {
        TEMPLATES.all(self).await
    }

    /// Reads a resource; there may be several contents (MCP 2026-07-28, server/resources). The budget is the client's
    /// `read_timeout`.
    pub fn read_resource<'a>(&'a self, uri: &'a str) -> Request<'a, impl Serialize, ReadResourceResult> {
        let budget = Budget::total(self.options().read_timeout);
        let request = Request::new(self, method::RESOURCES_READ, Uri { uri }, budget);
        request.named(uri).cached((Kind::Contents, Some(uri.to_owned())))
    }
}
