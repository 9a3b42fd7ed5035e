//! Blocks of content: text, pictures, sound, resources, and a model's use of tools.

use crate::open::{member_group, open_object};
use crate::word::open_word;
use crate::{Annotations, Icons, Json, Meta, Verbatim};

open_object! {
    /// One block of content, of any kind: the members of all kinds side by side.
    ///
    /// Blocks of a kind that did not exist when this was written keep everything they came with.
    pub struct Content {
        /// What kind of block it is.
        required kind: ContentType = "type",
        /// The text of a `text` block.
        optional text: String = "text",
        /// The base64 text of an `image` or `audio` block.
        optional data: String = "data",
        /// The media type of an `image`, `audio` or `resource_link` block.
        optional mime_type: String = "mimeType",
        /// The resource in a `resource` block.
        optional resource: Box<ResourceContents> = "resource",
        /// The name for people of a `resource_link`.
        optional title: String = "title",
        /// For whom the block is and how much it matters.
        optional annotations: Verbatim<Annotations> = "annotations",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
    /// What `resource_link`, `tool_use` and `tool_result` blocks have beside.
    group more: MoreContent;
}

open_word! {
    /// The kind of a block of content.
    pub enum ContentType {
        /// Text.
        Text = "text",
        /// A picture.
        Image = "image",
        /// Sound (2025-03-26 and later).
        Audio = "audio",
        /// The address of a resource (2025-06-18 and later).
        ResourceLink = "resource_link",
        /// A resource that came along.
        Resource = "resource",
        /// Sampling only: a model wants a tool called (2025-11-25 and later).
        ToolUse = "tool_use",
        /// Sampling only: what the tool answered (2025-11-25 and later).
        ToolResult = "tool_result",
    }
}

member_group! {
    /// The members of rarer kinds of [`Content`].
    pub struct MoreContent {
        /// Where a `resource_link` points.
        optional uri: String = "uri",
        /// The name of a `resource_link`, or of the tool of a `tool_use`.
        optional name: String = "name",
        /// What a `resource_link` points to.
        optional description: String = "description",
        /// How many bytes the resource of a `resource_link` has.
        optional size: Json = "size",
        /// Pictures for a `resource_link` (2025-11-25).
        optional icons: Icons = "icons",
        /// What a `tool_use` is found by.
        optional id: String = "id",
        /// The arguments in a `tool_use`: a JSON object.
        optional input: Json = "input",
        /// The `tool_use` that a `tool_result` belongs to.
        optional tool_use_id: String = "toolUseId",
        /// What the tool answered, in a `tool_result`.
        optional content: Vec<Content> = "content",
        /// What the tool answered for a program, in a `tool_result`; from 2026-07-28 any JSON value, `null`
        /// among them.
        nullable structured_content: Json = "structuredContent",
        /// The tool of a `tool_result` failed.
        optional is_error: bool = "isError",
    }
}

open_object! {
    /// What a resource holds: text or base64 bytes.
    pub struct ResourceContents {
        /// The resource's address.
        required uri: String = "uri",
        /// Its media type.
        optional mime_type: String = "mimeType",
        /// Its text.
        optional text: String = "text",
        /// Its bytes as base64 text.
        optional blob: String = "blob",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
