//! The address that a browser ended at, pasted by hand.

use codewhale_mcp_redact::Secret;
use thiserror::Error;
use url::Url;

use crate::answer::{Mismatch, check};
use crate::browse::Redirected;

/// The longest text that is looked at, in bytes.
pub const LONGEST: usize = 16 << 10;

/// Why a pasted text is not what a login waits for. Nothing of it is shown: it may hold a code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PasteError {
    /// There is nothing.
    #[error("nothing was pasted")]
    Empty,
    /// It is longer than any address that a browser comes back with.
    #[error("the pasted text is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// It is neither an address nor what stands behind its `?`.
    #[error("the pasted text is not the address that the browser ended at, which begins with {expected}")]
    NotTheAddress {
        /// How it begins.
        expected: String,
    },
    /// It answers no login, or another one.
    #[error("the pasted address does not belong to this login: {0}")]
    Mismatch(#[from] Mismatch),
}

/// Reads what was pasted: the whole address, or its query.
///
/// # Errors
/// [`PasteError`]; a person may try again.
pub fn read(
    pasted: &Secret<String>,
    redirect_uri: &str,
    state: &Secret<String>,
) -> Result<Redirected, PasteError> {
    let text = pasted.expose().trim().trim_matches(['"', '\'', '<', '>']);
    if text.is_empty() {
        return Err(PasteError::Empty);
    }
    if text.len() > LONGEST {
        return Err(PasteError::TooLong { limit: LONGEST });
    }
    let query = query(text, redirect_uri)
        .ok_or_else(|| PasteError::NotTheAddress { expected: redirect_uri.to_owned() })?;
    check(query, state)?;
    Ok(Redirected(Secret::new(query.to_owned())))
}

/// What stands behind the `?`, if the rest is the redirect URI.
fn query<'a>(text: &'a str, redirect_uri: &str) -> Option<&'a str> {
    if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return None;
    }
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    let Some((before, query)) = text.split_once('?') else {
        return (text.contains('=') && !text.contains("://")).then_some(text);
    };
    let is_same = before.is_empty()
        || before == redirect_uri
        || matches!((Url::parse(before), Url::parse(redirect_uri)), (Ok(one), Ok(other)) if one == other);
    is_same.then_some(query)
}
