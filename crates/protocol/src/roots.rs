//! Roots: the directories a client lets servers know of. Deprecated in 2026-07-28 and still in use.

use crate::open::open_object;
use crate::{Meta, ResultType};

open_object! {
    /// The client's directories (MCP 2026-07-28, client/roots).
    pub struct ListRootsResult {
        /// The directories.
        required roots: Vec<Root> = "roots",
        /// How the result is to be read; legacy answers and modern input responses have none.
        optional result_type: ResultType = "resultType",
        /// Anything more (legacy).
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A directory, or a file.
    pub struct Root {
        /// Its address, `file://`.
        required uri: String = "uri",
        /// A name for people.
        optional name: String = "name",
        /// Anything more (2025-06-18).
        optional meta: Meta = "_meta",
    }
}
