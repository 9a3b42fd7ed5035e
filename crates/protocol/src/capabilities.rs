//! What each side says it can do.

use crate::Json;
use crate::open::open_object;

open_object! {
    /// What a server offers (`capabilities` of `initialize` and `server/discover`).
    pub struct ServerCapabilities {
        /// Legacy: log messages on request; modern: deprecated.
        optional logging: Json = "logging",
        /// Argument completion (2025-03-26 and later).
        optional completions: Json = "completions",
        /// Prompts.
        optional prompts: ListCapability = "prompts",
        /// Resources.
        optional resources: ListCapability = "resources",
        /// Tools.
        optional tools: ListCapability = "tools",
        /// Tasks of 2025-11-25.
        optional tasks: Json = "tasks",
        /// Extensions by identifier.
        optional extensions: Json = "extensions",
        /// Whatever the server tries out.
        optional experimental: Json = "experimental",
    }
}

open_object! {
    /// A capability that lists things.
    pub struct ListCapability {
        /// The server says when the list changes.
        defaulted list_changed: bool = "listChanged",
        /// Resources only: single resources can be watched.
        defaulted subscribe: bool = "subscribe",
    }
}

open_object! {
    /// What a client can do for a server.
    pub struct ClientCapabilities {
        /// The client can name directories.
        optional roots: Json = "roots",
        /// The client can ask a model.
        optional sampling: Json = "sampling",
        /// The client can ask a person.
        optional elicitation: Json = "elicitation",
        /// Extensions by identifier.
        optional extensions: Json = "extensions",
        /// Whatever the client tries out.
        optional experimental: Json = "experimental",
    }
}

open_object! {
    /// The name and version of a program (`clientInfo`, `serverInfo`).
    pub struct Implementation {
        /// For programs.
        required name: String = "name",
        /// For people.
        optional title: String = "title",
        /// Its version, in any scheme.
        defaulted version: String = "version",
        /// What it is (2025-11-25 and later).
        optional description: String = "description",
        /// Where to read more (2025-11-25 and later).
        optional website_url: String = "websiteUrl",
        /// Pictures (2025-11-25 and later).
        optional icons: Json = "icons",
    }
}
