//! Programs and pictures: who speaks, and what stands for a thing on a screen.

use crate::Verbatim;
use crate::open::open_object;
use crate::word::open_word;

open_object! {
    /// The name and version of a program (`clientInfo`, `serverInfo`).
    pub struct Implementation {
        /// For programs.
        required name: String = "name",
        /// For people (2025-06-18).
        optional title: String = "title",
        /// Its version, in any scheme.
        always version: String = "version",
        /// What it is (2025-11-25 and later).
        optional description: String = "description",
        /// Where to read more (2025-11-25 and later).
        optional website_url: String = "websiteUrl",
        /// Pictures (2025-11-25 and later).
        optional icons: Icons = "icons",
    }
}

/// The `icons` member of anything, as it came (2025-11-25 and later).
pub type Icons = Verbatim<Vec<Icon>>;

open_object! {
    /// A picture that stands for something (MCP 2026-07-28, basic/index).
    ///
    /// Where it may be fetched from and what may be shown is for whoever shows it.
    pub struct Icon {
        /// Its address, `https:` or `data:`.
        required src: String = "src",
        /// Its media type.
        optional mime_type: String = "mimeType",
        /// The sizes it is good for, as `48x48` or `any`.
        optional sizes: Vec<String> = "sizes",
        /// The background it is made for.
        optional theme: IconTheme = "theme",
    }
}

open_word! {
    /// The background an icon is made for.
    pub enum IconTheme {
        /// A light one.
        Light = "light",
        /// A dark one.
        Dark = "dark",
    }
}
