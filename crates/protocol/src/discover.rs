//! The modern introduction: `server/discover`.

use crate::open::open_object;
use crate::{Implementation, Json, ServerCapabilities, meta};

open_object! {
    /// What a modern server says about itself (MCP 2026-07-28, server/discover).
    pub struct DiscoverResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: String = "resultType",
        /// The revisions the server speaks.
        required supported_versions: Vec<String> = "supportedVersions",
        /// What the server offers.
        defaulted capabilities: ServerCapabilities = "capabilities",
        /// How to use the server, in its own words.
        optional instructions: String = "instructions",
        /// For how many milliseconds the answer stays true.
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the answer: `public` or `private`.
        optional cache_scope: String = "cacheScope",
        /// Anything more, the server's name among it.
        optional meta: Json = "_meta",
    }
}

impl DiscoverResult {
    /// Who the server is, where it says so in `_meta`.
    #[must_use]
    pub fn server_info(&self) -> Option<Implementation> {
        let meta = self.meta.as_ref()?.decode::<std::collections::BTreeMap<String, Json>>().ok()?;
        meta.get(meta::SERVER_INFO)?.decode().ok()
    }
}
