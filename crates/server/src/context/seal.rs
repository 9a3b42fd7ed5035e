//! What is kept between rounds travels by way of the client, so it is sealed: nobody changes it, and it fits one request
//! of one principal for a limited time (MCP 2026-07-28, basic/patterns/mrtr).

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::{digest, hmac, rand};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::rounds::Kept;
use crate::Failure;
use crate::incoming::Params;

/// How long a person may take for an answer.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// Seals and opens.
pub(crate) struct Seal(hmac::Key);

/// What is under the seal.
#[derive(Serialize, Deserialize)]
struct Sealed {
    /// When it is too late, in seconds since 1970.
    #[serde(rename = "t")]
    until: u64,
    /// What it belongs to.
    #[serde(rename = "r")]
    request: String,
    #[serde(rename = "k")]
    kept: Kept,
}

impl Seal {
    /// With a key of this process.
    pub(crate) fn random() -> Self {
        let random = rand::SystemRandom::new();
        Self(hmac::Key::generate(hmac::HMAC_SHA256, &random).expect("the system has randomness"))
    }

    /// With a key that several processes share.
    pub(crate) fn with_key(key: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// What the client is to bring along.
    pub(crate) fn seal(&self, kept: &Kept, request: &str) -> String {
        let until = (now() + LIFETIME).as_secs();
        let sealed = Sealed { until, request: request.to_owned(), kept: kept.clone() };
        let payload = serde_json::to_vec(&sealed).expect("names and JSON texts have a JSON form");
        let tag = hmac::sign(&self.0, &payload);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(&payload), URL_SAFE_NO_PAD.encode(tag))
    }

    /// What the client brought along.
    pub(crate) fn open(&self, state: &str, request: &str) -> Result<Kept, Failure> {
        let refused = || Failure::invalid_params("requestState is not one of this request, or too old");
        let (payload, tag) = state.split_once('.').ok_or_else(refused)?;
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| refused());
        let (payload, tag) = (decode(payload)?, decode(tag)?);
        hmac::verify(&self.0, &payload, &tag).map_err(|_| refused())?;
        let sealed: Sealed = serde_json::from_slice(&payload).map_err(|_| refused())?;
        if sealed.request != request || Duration::from_secs(sealed.until) < now() {
            return Err(refused());
        }
        Ok(sealed.kept)
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

/// What tells a request from others: its method, what it names, its arguments and its principal.
pub(crate) fn fingerprint(method: &str, params: &Params<'_>, principal: Option<&str>) -> String {
    // As values, since a client may write the same arguments in another way.
    let value = |raw: Option<&RawValue>| -> Value {
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    };
    let all = (method, value(params.name), value(params.uri), value(params.arguments), principal);
    let text = serde_json::to_vec(&all).expect("values have a JSON form");
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, &text))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
