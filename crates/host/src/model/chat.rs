//! One question to the model.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_manager::Network;
use codewhale_mcp_net::client::{Egress, Engine, Parts};
use codewhale_mcp_net::{
    Author, Call, Definition, Guard, HostLists, Origin, PrivateNetwork, Proxies, Purpose,
};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue};
use tokio::time::timeout;

use super::{Conversation, Endpoint, ModelAnswer, ModelError, NotConfigured, Offer, Piece, body, body_of};

/// How much of a refusal is read.
const REFUSAL: usize = 64 * 1024;

/// How long the model may say nothing, unless a session says otherwise.
pub(crate) const SILENCE: Duration = Duration::from_secs(300);

/// A way to the model, with connections of its own. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    endpoint: Endpoint,
    egress: Egress,
    silence: Duration,
}

/// Where requests to the model may go, and what they are made with.
#[derive(Debug, Clone, Default)]
pub struct Way {
    lists: Arc<HostLists>,
    proxies: Arc<Proxies>,
    parts: Parts,
}

impl Way {
    /// The same way as servers with a URL are reached, with the proxies of an environment.
    #[must_use]
    pub fn new(network: Network, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let proxies = Arc::new(Proxies::from_environment(variable));
        Self { lists: network.lists, proxies, parts: network.parts }
    }
}

impl Chat {
    pub(crate) fn new(endpoint: Endpoint, way: &Way, silence: Duration) -> Result<Self, NotConfigured> {
        let origin = Origin::of(&endpoint.url).map_err(|_| NotConfigured::BadUrl)?;
        // The user's own settings name it, so it may be in their own network.
        let definition =
            Definition { origin, author: Author::Operator, private_network: PrivateNetwork::Allowed };
        let guard = Guard { definition, lists: way.lists.clone(), proxies: way.proxies.clone() };
        let egress = Engine::new(way.parts.clone()).egress(guard, Purpose::Message);
        Ok(Self { endpoint, egress, silence })
    }

    /// The model that is asked.
    pub(crate) fn model(&self) -> &str {
        &self.endpoint.model
    }

    /// The same way to another model.
    pub(crate) fn with_model(&self, model: String) -> Self {
        Self { endpoint: self.endpoint.clone().with_model(Some(model)), ..self.clone() }
    }

    /// What is asked: a system prompt, what was said, and what may be called.
    pub(crate) fn question(&self, system: &str, said: &Conversation, offers: &[Offer]) -> Bytes {
        body_of(&self.endpoint.model, system, said.messages(), offers).into()
    }

    /// Asks once, and tells of the answer as it comes. Dropping the future ends the request.
    pub(super) async fn ask_once(
        &self,
        question: Bytes,
        tell: impl FnMut(&Piece) + Send,
    ) -> Result<ModelAnswer, ModelError> {
        let mut call = Call::post(self.endpoint.url.clone(), question);
        call.headers = self.headers()?.into();
        let answer = timeout(self.silence, self.egress.send(call, None)).await;
        let mut answer = match answer {
            Ok(answer) => answer.map_err(ModelError::Net)?,
            Err(_) => return Err(ModelError::Stalled { after: self.silence }),
        };
        if !answer.status.is_success() {
            // Whatever of it can be read; that it cannot is not what matters.
            let said = body::collect(&mut answer.body, self.silence, REFUSAL).await.unwrap_or_default();
            let refused = ModelError::refused(answer.status.as_u16(), &said, retry_after(&answer.headers));
            return Err(self.without_key(refused));
        }
        let kind = answer.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let read = match kind.starts_with(b"text/event-stream") {
            true => body::events(answer.body, self.silence, tell).await,
            false => body::whole(answer.body, self.silence, tell).await,
        };
        read.map_err(|error| self.without_key(error))
    }

    fn headers(&self) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
        if let Some(key) = &self.endpoint.key {
            let value = HeaderValue::try_from(format!("Bearer {}", key.expose()));
            let mut value = value.map_err(|_| ModelError::Broken {
                reason: "the key has characters that no header has".to_owned(),
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(headers)
    }

    /// Some tell a key that they do not know.
    fn without_key(&self, error: ModelError) -> ModelError {
        let redactor: codewhale_mcp_redact::Redactor = self.endpoint.key.iter().collect();
        let hide = |text: String| redactor.apply(&text).to_string();
        match error {
            ModelError::Refused { status, message, retry_after } => {
                ModelError::Refused { status, message: hide(message), retry_after }
            }
            ModelError::Said { message } => ModelError::Said { message: hide(message) },
            ModelError::Broken { reason } => ModelError::Broken { reason: hide(reason) },
            other => other,
        }
    }
}

/// Seconds, or a date, which is compared with the server's own clock (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::trim);
    let value = text(RETRY_AFTER)?;
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let date = |text| httpdate::parse_http_date(text).ok();
    Some(date(value)?.duration_since(date(text(DATE)?)?).unwrap_or_default())
}
