//! A document that may be there or not.

use codewhale_mcp_net::{Call, Fetched};
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;
use url::Url;

use crate::object::{self, Flaw};

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
    /// Nobody can say, for this reason: the server has another trouble, or says something twice.
    Unclear(String),
}

impl Document {
    pub(crate) fn of(answer: &Fetched) -> Self {
        match answer.status {
            StatusCode::OK => match object::read(&answer.body) {
                Ok(members) => Self::There(Value::Object(members)),
                Err(Flaw::NoObject) => Self::Missing,
                Err(Flaw::Twice) => Self::Unclear("a member is there twice".to_owned()),
            },
            status if status.is_client_error() => Self::Missing,
            status => Self::Unclear(format!("the answer has status {}", status.as_u16())),
        }
    }
}
