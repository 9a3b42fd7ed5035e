//! Resources: lists of them and of templates, and reading one.

use serde_json::Number;

use crate::open::open_object;
use crate::{
    Annotations, CacheScope, Icons, InputResponses, Json, Meta, ResourceContents, ResultType, Verbatim,
};

open_object! {
    /// One page of resources (MCP 2026-07-28, server/resources).
    pub struct ListResourcesResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The resources of this page.
        required resources: Vec<Resource> = "resources",
        /// Where the next page begins; absent at the end.
        optional next_cursor: String = "nextCursor",
        /// For how many milliseconds the page stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the page.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A resource as its server describes it.
    pub struct Resource {
        /// Its address.
        required uri: String = "uri",
        /// A name for programs.
        required name: String = "name",
        /// A name for people (2025-06-18).
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// Its media type.
        optional mime_type: String = "mimeType",
        /// How many bytes it has, before any base64.
        optional size: Number = "size",
        /// For whom it is and how much it matters.
        optional annotations: Verbatim<Annotations> = "annotations",
        /// Pictures (2025-11-25).
        optional icons: Icons = "icons",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// One page of templates (MCP 2026-07-28, server/resources).
    pub struct ListResourceTemplatesResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The templates of this page.
        required resource_templates: Vec<ResourceTemplate> = "resourceTemplates",
        /// Where the next page begins; absent at the end.
        optional next_cursor: String = "nextCursor",
        /// For how many milliseconds the page stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the page.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A template that addresses of resources are made from.
    pub struct ResourceTemplate {
        /// The template (RFC 6570).
        required uri_template: String = "uriTemplate",
        /// A name for programs.
        required name: String = "name",
        /// A name for people (2025-06-18).
        optional title: String = "title",
        /// What it is for.
        optional description: String = "description",
        /// The media type of its resources, if they all have the same.
        optional mime_type: String = "mimeType",
        /// For whom they are and how much they matter.
        optional annotations: Verbatim<Annotations> = "annotations",
        /// Pictures (2025-11-25).
        optional icons: Icons = "icons",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Which resource to read.
    pub struct ReadResourceParams {
        /// Its address.
        required uri: String = "uri",
        /// On a retry: answers to what the server wanted to know (modern).
        optional input_responses: InputResponses = "inputResponses",
        /// On a retry: the server's own note, exactly as it came (modern).
        optional request_state: Json = "requestState",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What a resource holds.
    pub struct ReadResourceResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// Its parts. Their addresses need not be the one that was asked for.
        required contents: Vec<ResourceContents> = "contents",
        /// For how many milliseconds it stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share it.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
