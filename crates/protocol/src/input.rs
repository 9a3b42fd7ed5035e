//! Input in several rounds (MCP 2026-07-28, basic/patterns/mrtr): a server answers with requests of its own,
//! and the client asks again with their answers.

use crate::open::open_object;
use crate::{
    BareParams, CreateMessageParams, ElicitParams, Json, Members, Meta, Request, ResultType, method,
};

open_object! {
    /// The server needs something first. One of the two members is there, or both.
    pub struct InputRequiredResult {
        /// `input_required`.
        optional result_type: ResultType = "resultType",
        /// What the server wants to know, by names of its own.
        optional input_requests: InputRequests = "inputRequests",
        /// The server's own note: a string that goes back exactly as it came, read by nobody.
        optional request_state: Json = "requestState",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

/// What a server wants to know, by names of its own.
pub type InputRequests = Members<InputRequest>;

/// One thing a server wants to know: a request without `jsonrpc` and `id`.
pub type InputRequest = Request;

/// Answers by the names of their requests: an [`ElicitResult`](crate::ElicitResult), a
/// [`CreateMessageResult`](crate::CreateMessageResult) or a [`ListRootsResult`](crate::ListRootsResult) each.
pub type InputResponses = Members<Json>;

/// What a server wants of the client or its user: an input request, or in the legacy era a request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// Ask a person.
    Elicit(Box<ElicitParams>),
    /// Ask a model.
    CreateMessage(Box<CreateMessageParams>),
    /// Name the directories.
    ListRoots(BareParams),
}

/// An input request cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerInputInvalid {
    /// Its method is none that asks for input.
    #[error("{method:?} is no input request")]
    UnknownMethod {
        /// The method.
        method: String,
    },
    /// It has no params where they are needed.
    #[error("the input request {method:?} has no params")]
    NoParams {
        /// The method.
        method: String,
    },
    /// Its params do not fit its method.
    #[error("the params of the input request {method:?} have an unexpected form: {source}")]
    Params {
        /// The method.
        method: String,
        /// What is wrong with them.
        source: serde_json::Error,
    },
}

impl Request {
    /// What is wanted, of a request that asks for input.
    ///
    /// # Errors
    /// When the method is not one of the three, or its params do not fit it.
    pub fn input(&self) -> Result<Input, ServerInputInvalid> {
        let method = || self.method.clone();
        let params = || self.params.as_ref().ok_or_else(|| ServerInputInvalid::NoParams { method: method() });
        let invalid = |source| ServerInputInvalid::Params { method: method(), source };
        match self.method.as_str() {
            method::ELICITATION_CREATE => params()?.decode().map(Input::Elicit).map_err(invalid),
            method::SAMPLING_CREATE_MESSAGE => params()?.decode().map(Input::CreateMessage).map_err(invalid),
            method::ROOTS_LIST => match &self.params {
                Some(params) => params.decode().map(Input::ListRoots).map_err(invalid),
                None => Ok(Input::ListRoots(BareParams::default())),
            },
            _ => Err(ServerInputInvalid::UnknownMethod { method: method() }),
        }
    }
}
