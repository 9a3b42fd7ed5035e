//! What is said about a request that runs: how far it is, and that it is no longer wanted.

use crate::open::open_object;
use crate::{Json, Meta};

open_object! {
    /// How far a request has come (MCP 2026-07-28, basic/patterns/progress).
    pub struct ProgressParams {
        /// The token that the request carried, a [`ProgressToken`](crate::ProgressToken).
        required progress_token: Json = "progressToken",
        /// How much is done; grows with each notification.
        required progress: f64 = "progress",
        /// How much there is to do, if known.
        optional total: f64 = "total",
        /// What is being done (2025-03-26).
        optional message: String = "message",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A request is no longer wanted (MCP 2026-07-28, basic/patterns/cancellation).
    pub struct CancelledParams {
        /// The request's id, a [`RequestId`](crate::RequestId). Optional in 2025-11-25.
        optional request_id: Json = "requestId",
        /// Why.
        optional reason: String = "reason",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}
