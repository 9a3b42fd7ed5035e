//! The modern introduction: `server/discover`.

use crate::open::open_object;
use crate::{CacheScope, Implementation, Json, Meta, ResultType, ServerCapabilities};

open_object! {
    /// What a modern server says about itself (MCP 2026-07-28, server/discover).
    pub struct DiscoverResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The revisions the server speaks.
        required supported_versions: Vec<String> = "supportedVersions",
        /// What the server offers.
        always capabilities: ServerCapabilities = "capabilities",
        /// How to use the server, in its own words.
        optional instructions: String = "instructions",
        /// For how many milliseconds the answer stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the answer.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more, the server's name among it.
        optional meta: Meta = "_meta",
    }
}

impl DiscoverResult {
    /// Who the server is, where it says so in `_meta`.
    #[must_use]
    pub fn server_info(&self) -> Option<Implementation> {
        self.meta.as_ref()?.server_info()
    }
}
