//! What comes without being asked for: progress, cancellation, log messages.

use crate::Json;
use crate::open::open_object;

open_object! {
    /// How far a request has come.
    pub struct ProgressParams {
        /// The token that the request carried.
        required progress_token: Json = "progressToken",
        /// How much is done; grows with each notification.
        required progress: f64 = "progress",
        /// How much there is to do, if known.
        optional total: f64 = "total",
        /// What is being done (2025-03-26).
        optional message: String = "message",
    }
}

open_object! {
    /// A request is no longer wanted.
    pub struct CancelledParams {
        /// The request's id. Optional in 2025-11-25.
        optional request_id: Json = "requestId",
        /// Why.
        optional reason: String = "reason",
    }
}

open_object! {
    /// A log message of the server.
    pub struct MessageParams {
        /// `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`.
        required level: String = "level",
        /// What part of the server speaks.
        optional logger: String = "logger",
        /// What it says: any JSON value.
        nullable data: Json = "data",
    }
}
