//! Prompts: the list of them and filling in one.

use crate::open::open_object;
use crate::{CacheScope, Content, Icons, InputResponses, Json, Members, Meta, ResultType, Role};

open_object! {
    /// One page of prompts (MCP 2026-07-28, server/prompts).
    pub struct ListPromptsResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The prompts of this page.
        required prompts: Vec<Prompt> = "prompts",
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
    /// A prompt as its server describes it.
    pub struct Prompt {
        /// The name it is asked for by.
        required name: String = "name",
        /// A name for people (2025-06-18).
        optional title: String = "title",
        /// What it is for.
        optional description: String = "description",
        /// What can be filled in.
        optional arguments: Vec<PromptArgument> = "arguments",
        /// Pictures (2025-11-25).
        optional icons: Icons = "icons",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Something to fill in.
    pub struct PromptArgument {
        /// Its name.
        required name: String = "name",
        /// A name for people (2025-06-18).
        optional title: String = "title",
        /// What is expected.
        optional description: String = "description",
        /// Whether the prompt needs it. Absent means no.
        optional required: bool = "required",
    }
}

open_object! {
    /// Which prompt to fill in, with what.
    pub struct GetPromptParams {
        /// The prompt's name.
        required name: String = "name",
        /// What to fill in; always strings.
        optional arguments: Members<String> = "arguments",
        /// On a retry: answers to what the server wanted to know (modern).
        optional input_responses: InputResponses = "inputResponses",
        /// On a retry: the server's own note, exactly as it came (modern).
        optional request_state: Json = "requestState",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A prompt filled in.
    pub struct GetPromptResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// What it is.
        optional description: String = "description",
        /// What a model is to be told.
        required messages: Vec<PromptMessage> = "messages",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// One turn of a prompt.
    pub struct PromptMessage {
        /// Whose words it is.
        required role: Role = "role",
        /// The words.
        required content: Content = "content",
    }
}
