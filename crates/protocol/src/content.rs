//! Blocks of content: text, pictures, sound, resources.

use crate::Json;
use crate::open::open_object;

open_object! {
    /// One block of content, of any kind: the members of all kinds side by side.
    ///
    /// Blocks of a kind that did not exist when this was written keep everything they came with.
    pub struct Content {
        /// `text`, `image`, `audio` (2025-03-26), `resource_link` (2025-06-18), `resource` or a newer word.
        required kind: String = "type",
        /// The text of a `text` block.
        optional text: String = "text",
        /// The base64 text of an `image` or `audio` block.
        optional data: String = "data",
        /// The media type of an `image`, `audio` or `resource_link` block.
        optional mime_type: String = "mimeType",
        /// The resource in a `resource` block.
        optional resource: Box<ResourceContents> = "resource",
        /// Where a `resource_link` points.
        optional uri: String = "uri",
        /// The name of a `resource_link`.
        optional name: String = "name",
        /// The name for people of a `resource_link`.
        optional title: String = "title",
        /// What a `resource_link` points to.
        optional description: String = "description",
        /// For whom the block is and how much it matters.
        optional annotations: Json = "annotations",
        /// Anything more.
        optional meta: Json = "_meta",
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
        optional meta: Json = "_meta",
    }
}

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
    /// A kind that is not known, or one without the members of its kind.
    Unknown(&'a str),
}

impl Content {
    /// A block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { kind: "text".into(), text: Some(text.into()), ..Self::default() }
    }

    /// The block by its kind.
    #[must_use]
    pub fn view(&self) -> ContentKind<'_> {
        let media = || Some((self.data.as_deref()?, self.mime_type.as_deref().unwrap_or_default()));
        let known = match self.kind.as_str() {
            "text" => self.text.as_deref().map(ContentKind::Text),
            "image" => media().map(|(data, mime_type)| ContentKind::Image { data, mime_type }),
            "audio" => media().map(|(data, mime_type)| ContentKind::Audio { data, mime_type }),
            "resource" => self.resource.as_deref().map(ContentKind::Resource),
            "resource_link" => {
                self.uri.as_deref().map(|uri| ContentKind::ResourceLink { uri, name: self.name.as_deref() })
            }
            _ => None,
        };
        known.unwrap_or(ContentKind::Unknown(&self.kind))
    }
}
