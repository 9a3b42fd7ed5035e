//! Completion: how an argument might go on.

use serde_json::Number;

use crate::open::open_object;
use crate::{Members, Meta, ResultType};

open_object! {
    /// What is being typed (MCP 2026-07-28, server/utilities/completion).
    pub struct CompleteParams {
        /// What it is an argument of.
        required reference: CompletionReference = "ref",
        /// The argument and what stands there already.
        required argument: CompletionArgument = "argument",
        /// What was filled in before (2025-06-18).
        optional context: CompletionContext = "context",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A prompt or a template (`PromptReference`, `ResourceTemplateReference`, `ResourceReference`).
    pub struct CompletionReference {
        /// [`PROMPT`](Self::PROMPT), [`RESOURCE`](Self::RESOURCE) or a newer word.
        required kind: String = "type",
        /// The name of a prompt.
        optional name: String = "name",
        /// The name for people of a prompt (2025-06-18).
        optional title: String = "title",
        /// The address of a resource, or a template of it.
        optional uri: String = "uri",
    }
}

impl CompletionReference {
    /// The kind of a prompt.
    pub const PROMPT: &'static str = "ref/prompt";
    /// The kind of a resource or a template.
    pub const RESOURCE: &'static str = "ref/resource";

    /// The prompt with this name.
    #[must_use]
    pub fn prompt(name: impl Into<String>) -> Self {
        Self { kind: Self::PROMPT.into(), name: Some(name.into()), ..Self::default() }
    }

    /// The resource at this address, or the template.
    #[must_use]
    pub fn resource(uri: impl Into<String>) -> Self {
        Self { kind: Self::RESOURCE.into(), uri: Some(uri.into()), ..Self::default() }
    }
}

open_object! {
    /// An argument that is being typed.
    pub struct CompletionArgument {
        /// Its name.
        required name: String = "name",
        /// What stands there already.
        required value: String = "value",
    }
}

open_object! {
    /// What was filled in before.
    pub struct CompletionContext {
        /// Arguments by their names.
        optional arguments: Members<String> = "arguments",
    }
}

open_object! {
    /// How the argument might go on.
    pub struct CompleteResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The proposals.
        required completion: Completion = "completion",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Proposals for an argument.
    pub struct Completion {
        /// At most 100 of them, the best first.
        required values: Vec<String> = "values",
        /// How many there are in all.
        optional total: Number = "total",
        /// Whether there are more than these.
        optional has_more: bool = "hasMore",
    }
}
