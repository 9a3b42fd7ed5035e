//! The headers of requests: the one place where this crate writes secrets.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codewhale_mcp_net::Headers;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use percent_encoding::percent_decode_str;

use super::endpoint::{Endpoint, EndpointError};
use crate::{Header, Verb};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_OR_EVENTS: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// A compressed stream would sit in the server's compressor until there is enough of it.
const IDENTITY: HeaderValue = HeaderValue::from_static("identity");

/// What a verb says wins over what a message does.
const OF_VERBS: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_ENCODING, header::CONTENT_TYPE];

/// So many headers come beside those of an endpoint, usually.
const ROOM: usize = 12;

/// What a definition cannot set: the framing of messages (RFC 9112), and what is between us and a proxy.
const OF_CONNECTION: [HeaderName; 8] = [
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// The headers that every request to an endpoint carries.
///
/// # Errors
/// [`EndpointError`] for a header that cannot be sent.
pub(super) fn of_endpoint(endpoint: &Endpoint) -> Result<HeaderMap, EndpointError> {
    let mut headers = HeaderMap::with_capacity(endpoint.headers.len() + 8);
    for (name, value) in &endpoint.headers {
        let (Ok(parsed), value) = (HeaderName::try_from(name), HeaderValue::try_from(value.expose())) else {
            return Err(EndpointError::HeaderName { name: name.clone() });
        };
        let mut value = value.map_err(|_| EndpointError::HeaderValue { name: name.clone() })?;
        if OF_CONNECTION.contains(&parsed) {
            return Err(EndpointError::HeaderOfConnection { name: name.clone() });
        }
        value.set_sensitive(true);
        headers.insert(parsed, value);
    }
    let (user, password) = (endpoint.url.username(), endpoint.url.password());
    if (!user.is_empty() || password.is_some()) && !headers.contains_key(header::AUTHORIZATION) {
        let mut basic: Vec<u8> = percent_decode_str(user).collect();
        basic.push(b':');
        basic.extend(percent_decode_str(password.unwrap_or_default()));
        let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(basic)))
            .expect("base64 is visible ASCII");
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(headers)
}

/// The headers of every request of one verb: those of the endpoint, then those of the verb.
#[derive(Debug)]
pub(super) struct OfVerbs {
    post: HeaderMap,
    get: HeaderMap,
    delete: HeaderMap,
    last: Mutex<Option<Posted>>,
}

/// The headers of a message that was posted, and what became of them: those of the next one are often the same.
struct Posted {
    message: Vec<Header>,
    headers: Headers,
}

impl fmt::Debug for Posted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Posted").field("message", &self.message).finish_non_exhaustive()
    }
}

impl OfVerbs {
    pub(super) fn new(endpoint: &HeaderMap) -> Self {
        let [mut post, mut get, mut delete] = [(); 3].map(|()| {
            // With room for those of a message.
            let mut headers = HeaderMap::with_capacity(endpoint.len() + ROOM);
            headers.extend(endpoint.clone());
            headers
        });
        post.insert(header::CONTENT_TYPE, JSON);
        post.insert(header::ACCEPT, JSON_OR_EVENTS);
        get.insert(header::ACCEPT, EVENTS);
        get.insert(header::ACCEPT_ENCODING, IDENTITY);
        get.remove(header::CONTENT_TYPE);
        delete.remove(header::CONTENT_TYPE);
        Self { post, get, delete, last: Mutex::default() }
    }

    /// The headers of one request, those of its message too, which win over those of the endpoint.
    ///
    /// # Errors
    /// The name of a header that cannot be sent.
    pub(super) fn with(&self, verb: &Verb, message: Vec<Header>) -> Result<Headers, String> {
        match verb {
            Verb::Post(_) => self.of_post(message),
            Verb::Get => with(&self.get, &message),
            Verb::Delete => with(&self.delete, &message),
        }
    }

    fn of_post(&self, message: Vec<Header>) -> Result<Headers, String> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| last.message == message) {
            return Ok(last.headers.clone());
        }
        let headers = with(&self.post, &message)?;
        *last = Some(Posted { message, headers: headers.clone() });
        Ok(headers)
    }
}

fn with(of_verb: &HeaderMap, message: &[Header]) -> Result<Headers, String> {
    let mut headers = of_verb.clone();
    for Header { name, value } in message {
        let (Ok(parsed), Ok(mut value)) =
            (HeaderName::try_from(&**name), HeaderValue::try_from(&**value.expose()))
        else {
            return Err(name.clone().into_owned());
        };
        value.set_sensitive(true);
        if !OF_VERBS.contains(&parsed) {
            headers.insert(parsed, value);
        }
    }
    let mut headers = Headers::from(headers);
    headers.complete();
    Ok(headers)
}
