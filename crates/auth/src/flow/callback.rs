//! What the browser came back with (RFC 6749, section 4.1.2; RFC 9207).

use std::collections::HashSet;
use std::time::SystemTime;

use codewhale_mcp_redact::{Secret, safe_url};
use url::form_urlencoded;

use super::Authorization;
use crate::LoginError;
use crate::browse::{Redirected, is_same};
use crate::challenge::shown;

/// The answer to an authorization request, read from the URL that the browser was sent to.
#[derive(Debug)]
pub struct Callback {
    state: Option<Secret<String>>,
    iss: Option<String>,
    code: Option<Secret<String>>,
    error: Option<String>,
    description: Option<String>,
}

impl Callback {
    /// Reads a URL, or its query alone.
    ///
    /// # Errors
    /// [`LoginError::Callback`] when a parameter is there twice, of whatever name (RFC 6749, section 3.1).
    pub fn read(redirected: &Redirected) -> Result<Self, LoginError> {
        let text = redirected.0.expose().trim();
        let query = text.split_once('?').map_or(text, |(_, query)| query);
        let query = query.split('#').next().unwrap_or("");
        let mut read = Self { state: None, iss: None, code: None, error: None, description: None };
        let mut names = HashSet::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.into_owned();
            match &*name {
                "state" => read.state = Some(Secret::new(value)),
                "code" => read.code = Some(Secret::new(value)),
                "iss" => read.iss = Some(value),
                "error" => read.error = Some(value),
                "error_description" => read.description = Some(value),
                _ => {}
            }
            if !names.insert(name) {
                return Err(LoginError::Callback { reason: "a parameter that is there twice" });
            }
        }
        Ok(read)
    }

    /// The code, if this is the answer to that request. Nothing of it is looked at before state and issuer are right.
    ///
    /// # Errors
    /// [`LoginError`]; only of an answer that is genuine it says what is in it.
    pub fn code(self, asked: &Authorization, now: SystemTime) -> Result<Secret<String>, LoginError> {
        if !self.state.is_some_and(|state| is_same(&state, &asked.state)) {
            return Err(LoginError::Callback { reason: "another state than it was sent with" });
        }
        if asked.is_over(now) {
            return Err(LoginError::TimedOut);
        }
        let genuine = match &self.iss {
            Some(iss) => *iss == asked.issuer,
            None => !asked.iss_is_promised,
        };
        if !genuine {
            let found = self.iss.as_deref().filter(|iss| !iss.is_empty()).map(|iss| shown(&safe_url(iss)));
            return Err(LoginError::CallbackIssuer { expected: safe_url(&asked.issuer), found });
        }
        match (self.error.as_deref(), self.code) {
            (Some("access_denied"), _) => Err(LoginError::Declined),
            (Some(error), _) => {
                let reason = match self.description.as_deref().filter(|text| !text.is_empty()) {
                    Some(description) => format!("{} ({})", shown(error), shown(description)),
                    None => shown(error),
                };
                Err(LoginError::IssuerAuthorizesNot { issuer: safe_url(&asked.issuer), reason })
            }
            (None, Some(code)) => Ok(code),
            (None, None) => Err(LoginError::Callback { reason: "neither a code nor an error" }),
        }
    }
}
