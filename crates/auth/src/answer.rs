//! Whether a query is the answer that a login waits for.

use codewhale_mcp_redact::Secret;
use thiserror::Error;
use url::form_urlencoded;

use crate::browse::is_same;

/// Why a query is not the answer (RFC 6749, section 4.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// It has no `state`.
    #[error("it has no `state`")]
    NoState,
    /// It has another `state`, or more than one.
    #[error("its `state` is another one")]
    OtherState,
    /// It has neither a `code` nor an `error`.
    #[error("it has neither a `code` nor an `error`")]
    NoAnswer,
}

/// Checks that a query answers the request that had `state`. The rest is judged by whoever asked.
pub(crate) fn check(query: &str, state: &Secret<String>) -> Result<(), Mismatch> {
    let (mut states, mut answers) = (Vec::new(), 0);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "state" => states.push(Secret::new(value.into_owned())),
            "code" | "error" => answers += 1,
            _ => {}
        }
    }
    match states.as_slice() {
        [] => Err(Mismatch::NoState),
        [one] if is_same(one, state) => match answers {
            0 => Err(Mismatch::NoAnswer),
            _ => Ok(()),
        },
        _ => Err(Mismatch::OtherState),
    }
}
