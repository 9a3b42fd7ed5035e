//! Sampling: a server asks the client's model. Deprecated in 2026-07-28 and still in use.

use serde_json::Number;

use crate::open::open_object;
use crate::word::open_word;
use crate::{Content, Json, Meta, OneOrMany, ResultType, Role, TaskMetadata, Tool};

open_object! {
    /// What the model is asked (MCP 2026-07-28, client/sampling).
    pub struct CreateMessageParams {
        /// What was said so far.
        required messages: Vec<SamplingMessage> = "messages",
        /// Which model the server would like.
        optional model_preferences: ModelPreferences = "modelPreferences",
        /// What the model should be told first.
        optional system_prompt: String = "systemPrompt",
        /// What the client should tell it of servers.
        optional include_context: IncludeContext = "includeContext",
        /// How freely the model answers.
        optional temperature: Number = "temperature",
        /// The most tokens it may answer with. Required; servers that omit it are tolerated.
        optional max_tokens: Number = "maxTokens",
        /// Where it has to stop.
        optional stop_sequences: Vec<String> = "stopSequences",
        /// Anything for the model's provider.
        optional metadata: Json = "metadata",
        /// Tools the model may use (2025-11-25).
        optional tools: Vec<Tool> = "tools",
        /// Whether it has to use them (2025-11-25).
        optional tool_choice: ToolChoice = "toolChoice",
        /// Make a task of it (2025-11-25 only).
        optional task: TaskMetadata = "task",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// One turn of a conversation with a model.
    pub struct SamplingMessage {
        /// Whose words it is.
        required role: Role = "role",
        /// The words: one block, from 2025-11-25 on also several.
        required content: OneOrMany<Content> = "content",
        /// Anything more (2025-11-25).
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// What the model answered.
    pub struct CreateMessageResult {
        /// Whose words it is.
        required role: Role = "role",
        /// The words: one block, from 2025-11-25 on also several.
        required content: OneOrMany<Content> = "content",
        /// The model that answered.
        required model: String = "model",
        /// Why it stopped.
        optional stop_reason: StopReason = "stopReason",
        /// How the result is to be read; legacy answers and modern input responses have none.
        optional result_type: ResultType = "resultType",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Which model a server would like. Priorities go from 0 to 1.
    pub struct ModelPreferences {
        /// Names, the best first; a hint is a part of a model's name.
        optional hints: Vec<ModelHint> = "hints",
        /// How much a low price matters.
        optional cost_priority: Number = "costPriority",
        /// How much speed matters.
        optional speed_priority: Number = "speedPriority",
        /// How much ability matters.
        optional intelligence_priority: Number = "intelligencePriority",
    }
}

open_object! {
    /// A hint on a model.
    pub struct ModelHint {
        /// A part of its name.
        optional name: String = "name",
    }
}

open_object! {
    /// How a model may use tools (MCP 2025-11-25, client/sampling).
    pub struct ToolChoice {
        /// Absent means `auto`.
        optional mode: ToolChoiceMode = "mode",
    }
}

open_word! {
    /// Whether a model has to use tools.
    pub enum ToolChoiceMode {
        /// As it likes.
        Auto = "auto",
        /// At least one.
        Required = "required",
        /// Not at all.
        None = "none",
    }
}

open_word! {
    /// What the client should tell a model of servers. Only `none` is not deprecated.
    pub enum IncludeContext {
        /// Nothing.
        None = "none",
        /// What it has from the server that asks.
        ThisServer = "thisServer",
        /// What it has from all servers.
        AllServers = "allServers",
    }
}

open_word! {
    /// Why a model stopped. An open list in all revisions.
    pub enum StopReason {
        /// It had said everything.
        EndTurn = "endTurn",
        /// It came to a stop sequence.
        StopSequence = "stopSequence",
        /// It used up its tokens.
        MaxTokens = "maxTokens",
        /// It wants tools called (2025-11-25).
        ToolUse = "toolUse",
    }
}
