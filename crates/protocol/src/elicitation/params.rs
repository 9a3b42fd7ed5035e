//! What is asked of a person, and what was answered.

use crate::open::open_object;
use crate::word::open_word;
use crate::{Json, Members, Meta, RequestedSchema, ResultType, TaskMetadata, Verbatim};

open_object! {
    /// What a server asks a person (`elicitation/create`; MCP 2026-07-28, client/elicitation).
    ///
    /// `ElicitRequestFormParams` and `ElicitRequestURLParams` in one.
    pub struct ElicitParams {
        /// How to ask. Absent means a form.
        optional mode: ElicitMode = "mode",
        /// What to say to the person.
        required message: String = "message",
        /// The form. What cannot be read of it is reason to decline, not to fail.
        optional requested_schema: Verbatim<RequestedSchema> = "requestedSchema",
        /// The address to send the person to (2025-11-25 and later).
        optional url: String = "url",
        /// What `notifications/elicitation/complete` will refer to (2025-11-25 only).
        optional elicitation_id: String = "elicitationId",
        /// Make a task of it (2025-11-25 only).
        optional task: TaskMetadata = "task",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_word! {
    /// How to ask a person (2025-11-25 and later).
    pub enum ElicitMode {
        /// With a form that the client shows.
        Form = "form",
        /// By sending the person to an address; the answer does not come through the client.
        Url = "url",
    }
}

impl ElicitParams {
    /// How to ask.
    #[must_use]
    pub fn mode(&self) -> ElicitMode {
        self.mode.clone().unwrap_or(ElicitMode::Form)
    }
}

open_object! {
    /// What a person did.
    pub struct ElicitResult {
        /// Whether they agreed.
        required action: ElicitAction = "action",
        /// With `accept` of a form, what they filled in: strings, numbers, booleans, and from 2025-11-25 on
        /// arrays of strings.
        optional content: Members<Json> = "content",
        /// How the result is to be read; legacy answers and modern input responses have none.
        optional result_type: ResultType = "resultType",
        /// Anything more (legacy).
        optional meta: Meta = "_meta",
    }
}

open_word! {
    /// Whether a person agreed.
    pub enum ElicitAction {
        /// They did. For an address: to be sent there, no more.
        Accept = "accept",
        /// They said no.
        Decline = "decline",
        /// They went away without a word.
        Cancel = "cancel",
    }
}

impl ElicitResult {
    /// The person agreed and filled this in.
    #[must_use]
    pub fn accept(content: Members<Json>) -> Self {
        Self { content: Some(content), ..Self::of(ElicitAction::Accept) }
    }

    /// The person did this, and there is nothing filled in.
    #[must_use]
    pub fn of(action: ElicitAction) -> Self {
        Self { action, ..Self::default() }
    }
}

open_object! {
    /// What a person did at an address is done (`notifications/elicitation/complete`, 2025-11-25).
    pub struct ElicitationCompleteParams {
        /// The id that the request had.
        required elicitation_id: String = "elicitationId",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
