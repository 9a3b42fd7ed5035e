//! A document that may be there or not.

use codewhale_mcp_net::{Call, Fetched};
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;
use url::Url;

/// A request for a document. It carries no credentials.
pub(crate) fn get(url: Url) -> Call {
    let mut call = Call::get(url);
    call.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    call
}

/// What an answer to a request for a document is.
#[derive(Debug)]
pub(crate) enum Document {
    /// The document, an object.
    There(Value),
    /// There is none: status 4xx, or something else than JSON, such as a page for every address.
    Missing,
    /// Nobody can say: the server has another trouble.
    Unclear(StatusCode),
}

impl Document {
    pub(crate) fn of(answer: &Fetched) -> Self {
        match answer.status {
            StatusCode::OK => match serde_json::from_slice(&answer.body) {
                Ok(value @ Value::Object(_)) => Self::There(value),
                _ => Self::Missing,
            },
            status if status.is_client_error() => Self::Missing,
            status => Self::Unclear(status),
        }
    }
}
