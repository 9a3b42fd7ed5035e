//! Blocks of content seen by their kind, and made of it.

use crate::{Content, ContentType, Json, MoreContent, ResourceContents};

/// A block of content by its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ContentKind<'a> {
    /// Plain text.
    Text(&'a str),
    /// A picture, base64.
    Image {
        /// Base64 text.
        data: &'a str,
        /// Media type.
        mime_type: &'a str,
    },
    /// Sound, base64.
    Audio {
        /// Base64 text.
        data: &'a str,
        /// Media type.
        mime_type: &'a str,
    },
    /// A resource that came along.
    Resource(&'a ResourceContents),
    /// A resource that can be read at this address.
    ResourceLink {
        /// Its address.
        uri: &'a str,
        /// Its name.
        name: Option<&'a str>,
    },
    /// A model wants a tool called.
    ToolUse {
        /// What the answer refers to.
        id: &'a str,
        /// The tool's name.
        name: &'a str,
        /// Its arguments.
        input: Option<&'a Json>,
    },
    /// What a tool answered to a model.
    ToolResult {
        /// The [`ToolUse`](Self::ToolUse) it belongs to.
        tool_use_id: &'a str,
        /// The answer.
        content: &'a [Content],
        /// The tool failed.
        is_error: bool,
    },
    /// A kind that is not known, or one without the members of its kind.
    Unknown(&'a str),
}

impl Content {
    /// A block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { kind: ContentType::Text, text: Some(text.into()), ..Self::default() }
    }

    /// What a model wants called, as it said so.
    #[must_use]
    pub fn tool_use(id: impl Into<String>, name: impl Into<String>, input: Json) -> Self {
        let (id, name) = (Some(id.into()), Some(name.into()));
        let more = MoreContent { id, name, input: Some(input), ..MoreContent::default() };
        Self { kind: ContentType::ToolUse, more: Some(Box::new(more)), ..Self::default() }
    }

    /// What a tool answered to a [`tool_use`](Self::tool_use).
    #[must_use]
    pub fn tool_result(tool_use_id: impl Into<String>, content: Vec<Content>) -> Self {
        let (tool_use_id, content) = (Some(tool_use_id.into()), Some(content));
        let more = MoreContent { tool_use_id, content, ..MoreContent::default() };
        Self { kind: ContentType::ToolResult, more: Some(Box::new(more)), ..Self::default() }
    }

    /// The block by its kind.
    #[must_use]
    pub fn view(&self) -> ContentKind<'_> {
        self.known().unwrap_or(ContentKind::Unknown(&self.kind))
    }

    fn known(&self) -> Option<ContentKind<'_>> {
        let more = || self.more.as_deref();
        let media = || Some((self.data.as_deref()?, self.mime_type.as_deref().unwrap_or_default()));
        match self.kind {
            ContentType::Text => self.text.as_deref().map(ContentKind::Text),
            ContentType::Image => media().map(|(data, mime_type)| ContentKind::Image { data, mime_type }),
            ContentType::Audio => media().map(|(data, mime_type)| ContentKind::Audio { data, mime_type }),
            ContentType::Resource => self.resource.as_deref().map(ContentKind::Resource),
            ContentType::ResourceLink => {
                let more = more()?;
                Some(ContentKind::ResourceLink { uri: more.uri.as_deref()?, name: more.name.as_deref() })
            }
            ContentType::ToolUse => {
                let more = more()?;
                let (id, name) = (more.id.as_deref()?, more.name.as_deref()?);
                Some(ContentKind::ToolUse { id, name, input: more.input.as_ref() })
            }
            ContentType::ToolResult => {
                let more = more()?;
                Some(ContentKind::ToolResult {
                    tool_use_id: more.tool_use_id.as_deref()?,
                    content: more.content.as_deref().unwrap_or_default(),
                    is_error: more.is_error.unwrap_or_default(),
                })
            }
            ContentType::Other(_) => None,
        }
    }
}
