//! What a token endpoint answers (RFC 6749, section 5).

use std::time::{Duration, SystemTime};

use codewhale_mcp_net::Fetched;
use codewhale_mcp_redact::{Redactor, Secret, safe_url};
use http::header;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::LoginError;
use crate::challenge::shown;
use crate::object::{self, Flaw};

/// How a token is shown to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As it is (RFC 6750).
    Bearer,
    /// With a proof of possession (RFC 9449).
    Dpop,
    /// Not at all: it is exchanged for another one (RFC 8693, section 2.2.1).
    Exchanged,
}

/// What was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// The token.
    pub access_token: Secret<String>,
    /// How it is shown.
    pub kind: Kind,
    /// When it came.
    pub obtained_at: SystemTime,
    /// When it stops to be good, where that was said.
    pub expires_at: Option<SystemTime>,
    /// What another token is had for.
    pub refresh_token: Option<Secret<String>>,
    /// The scopes, where they are not those that were asked for.
    pub scope: Option<String>,
    /// Which kind of token it is, where that was said (RFC 8693).
    pub issued_token_type: Option<String>,
}

/// The longest that a token is taken to be good.
const LONGEST: f64 = 10.0 * 365.0 * 86_400.0;

/// Reads an answer. `hidden` is what was sent, which no error may repeat.
pub(super) fn read(
    answer: &Fetched,
    issuer: &str,
    hidden: &[Secret<String>],
    now: SystemTime,
) -> Result<Granted, LoginError> {
    let no = |reason| LoginError::TokenReply { issuer: safe_url(issuer), reason };
    let members = members(answer);
    let refused = |code: &str, description: Option<&str>| {
        let safe = |text: &str| shown(&Redactor::from_iter(hidden).apply(text));
        LoginError::Refused {
            issuer: safe_url(issuer),
            code: safe(code),
            description: description.filter(|text| !text.is_empty()).map(safe),
        }
    };
    let members = members.map_err(|flaw| match flaw {
        Flaw::Twice => no("a member is there twice"),
        Flaw::NoObject if answer.status.is_success() => no("it is neither JSON nor a form"),
        Flaw::NoObject => refused(&format!("status {}", answer.status.as_u16()), None),
    })?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    // Some say so with status 200.
    if let Some(code) = text("error") {
        return Err(refused(code, text("error_description")));
    }
    if !answer.status.is_success() {
        return Err(refused(&format!("status {}", answer.status.as_u16()), None));
    }
    let access_token = text("access_token").filter(|token| !token.is_empty());
    let access_token = access_token.ok_or_else(|| no("it lacks `access_token`"))?;
    if !access_token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(no("its token cannot be sent in a header"));
    }
    let kind = match text("token_type").map(str::to_ascii_lowercase).as_deref() {
        // Required, and left out all the same.
        None | Some("bearer") => Kind::Bearer,
        Some("dpop") => Kind::Dpop,
        Some("n_a") => Kind::Exchanged,
        Some(_) => return Err(no("its token is of a type that is not known")),
    };
    let seconds = members.get("expires_in").and_then(number);
    // Nothing that is no good already would have been given.
    let seconds = seconds.filter(|seconds| *seconds > 0.0);
    let lifetime = seconds.map(|seconds| Duration::from_secs_f64(seconds.min(LONGEST)));
    Ok(Granted {
        access_token: Secret::new(access_token.to_owned()),
        kind,
        obtained_at: now,
        expires_at: lifetime.map(|lifetime| now + lifetime),
        refresh_token: text("refresh_token")
            .filter(|token| !token.is_empty())
            .map(|token| Secret::new(token.to_owned())),
        scope: text("scope").map(str::to_owned),
        issued_token_type: text("issued_token_type").map(str::to_owned),
    })
}

fn members(answer: &Fetched) -> Result<Map<String, Value>, Flaw> {
    let kind = answer.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    if kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        let mut members = Map::new();
        for (name, value) in form_urlencoded::parse(&answer.body) {
            if members.insert(name.into_owned(), value.into_owned().into()).is_some() {
                return Err(Flaw::Twice);
            }
        }
        return Ok(members);
    }
    object::read(&answer.body)
}

/// A number, also one that is written as a text.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}
