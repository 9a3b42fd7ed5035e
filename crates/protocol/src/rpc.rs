//! Whole JSON-RPC messages as values, for whoever builds or records them.
//!
//! Reading from a connection goes through [`Message`](crate::Message), which copies nothing.

use serde::Serialize;

use crate::open::open_object;
use crate::{ErrorObject, Json, RequestId};

/// The value of every message's `jsonrpc` member (JSON-RPC 2.0).
pub const JSON_RPC: &str = "2.0";

open_object! {
    /// A request (MCP 2026-07-28, basic/index).
    ///
    /// Without `jsonrpc` and `id` it is what stands in `inputRequests` (basic/patterns/mrtr).
    pub struct Request {
        /// Always `2.0`, see [`JSON_RPC`].
        optional jsonrpc: String = "jsonrpc",
        /// Comes back with the answer.
        optional id: RequestId = "id",
        /// What is wanted, see [`method`](crate::method).
        required method: String = "method",
        /// With what.
        optional params: Json = "params",
    }
}

open_object! {
    /// A message that wants no answer (MCP 2026-07-28, basic/index).
    pub struct Notification {
        /// Always `2.0`.
        optional jsonrpc: String = "jsonrpc",
        /// What it is about, see [`method`](crate::method).
        required method: String = "method",
        /// The content.
        optional params: Json = "params",
    }
}

open_object! {
    /// A request succeeded (MCP 2026-07-28, basic/index).
    pub struct ResultResponse {
        /// Always `2.0`.
        optional jsonrpc: String = "jsonrpc",
        /// The request's id.
        required id: RequestId = "id",
        /// The result.
        required result: Json = "result",
    }
}

open_object! {
    /// A request failed (MCP 2026-07-28, basic/index).
    pub struct ErrorResponse {
        /// Always `2.0`.
        optional jsonrpc: String = "jsonrpc",
        /// The request's id; absent where it could not be read (2025-11-25 and later).
        optional id: RequestId = "id",
        /// What went wrong.
        required error: ErrorObject = "error",
    }
}

impl Request {
    /// A whole request.
    ///
    /// # Errors
    /// When the params have no JSON form. Those of this crate have one.
    pub fn new<P: Serialize + ?Sized>(
        id: impl Into<RequestId>,
        method: impl Into<String>,
        params: &P,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            jsonrpc: Some(JSON_RPC.into()),
            id: Some(id.into()),
            method: method.into(),
            params: Some(Json::encode(params)?),
            ..Self::default()
        })
    }
}

impl Notification {
    /// A whole notification.
    ///
    /// # Errors
    /// When the params have no JSON form. Those of this crate have one.
    pub fn new<P: Serialize + ?Sized>(
        method: impl Into<String>,
        params: &P,
    ) -> Result<Self, serde_json::Error> {
        let params = Some(Json::encode(params)?);
        Ok(Self { jsonrpc: Some(JSON_RPC.into()), method: method.into(), params, ..Self::default() })
    }
}

impl ResultResponse {
    /// A whole answer.
    ///
    /// # Errors
    /// When the result has no JSON form. Those of this crate have one.
    pub fn new<R: Serialize + ?Sized>(
        id: impl Into<RequestId>,
        result: &R,
    ) -> Result<Self, serde_json::Error> {
        let result = Json::encode(result)?;
        Ok(Self { jsonrpc: Some(JSON_RPC.into()), id: id.into(), result, ..Self::default() })
    }
}

impl ErrorResponse {
    /// A whole refusal.
    #[must_use]
    pub fn new(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self { jsonrpc: Some(JSON_RPC.into()), id, error, ..Self::default() }
    }
}
