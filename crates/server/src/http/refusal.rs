//! What a client is told whose request does not become a message of the protocol, or becomes none that is answered.

use bytes::Bytes;
use codewhale_mcp_protocol::{ErrorObject, code};
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Response, StatusCode};

use super::body::Body;
use super::media::JSON;
use crate::{Incoming, wire};

/// A refusal: a status, and an error in words of the protocol.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: i64,
    message: String,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let code = if status.is_server_error() { code::INTERNAL_ERROR } else { code::INVALID_REQUEST };
        Self { status, code, message: message.into(), header: None }
    }

    /// Headers and body disagree.
    pub(super) fn mismatch(message: impl Into<String>) -> Self {
        Self { code: code::HEADER_MISMATCH, ..Self::new(StatusCode::BAD_REQUEST, message) }
    }

    /// Another method would do.
    pub(super) fn method(allowed: &'static str) -> Self {
        let message = format!("this endpoint takes {allowed}");
        let header = Some((ALLOW, HeaderValue::from_static(allowed)));
        Self { header, ..Self::new(StatusCode::METHOD_NOT_ALLOWED, message) }
    }

    /// Later there may be room.
    pub(super) fn busy(status: StatusCode, message: impl Into<String>) -> Self {
        Self { header: Some((RETRY_AFTER, HeaderValue::from_static("1"))), ..Self::new(status, message) }
    }

    /// Somebody may not ask.
    pub(super) fn denied(status: StatusCode, challenge: &str) -> Self {
        let challenge = HeaderValue::from_str(challenge).expect("a challenge is visible ASCII");
        let message = match status {
            StatusCode::FORBIDDEN => "the token's scopes do not suffice",
            _ => "a token is needed, and this is none that is valid here",
        };
        Self { header: Some((WWW_AUTHENTICATE, challenge)), ..Self::new(status, message) }
    }

    /// The answer; under the id of a request where that was read.
    pub(super) fn answer(self, to: Option<&Incoming<'_>>) -> Response<Body> {
        let error = ErrorObject { code: self.code, message: self.message, ..ErrorObject::default() };
        let text = match to {
            Some(message) => message.refuse(&error),
            None => {
                let mut text = Vec::new();
                wire::error(None, &error, &mut text);
                text
            }
        };
        let mut response = json(self.status, text);
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// A whole message as an answer.
pub(super) fn json(status: StatusCode, text: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::whole(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    response
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::whole(Bytes::new()));
    *response.status_mut() = status;
    response
}
