//! Hints on content and resources: for whom, how important, how old.

use serde_json::Number;

use crate::open::open_object;
use crate::word::open_word;

open_object! {
    /// Hints on a block of content or a resource (MCP 2026-07-28, server/resources).
    pub struct Annotations {
        /// For whom it is.
        optional audience: Vec<Role> = "audience",
        /// From 0, dispensable, to 1, needed.
        optional priority: Number = "priority",
        /// When it changed, ISO 8601 (2025-06-18 and later).
        optional last_modified: String = "lastModified",
    }
}

open_word! {
    /// Whose words a message is, or who should read something.
    pub enum Role {
        /// A person.
        User = "user",
        /// A model.
        Assistant = "assistant",
    }
}
