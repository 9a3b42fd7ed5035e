//! Which redirects are followed, and with what.

use codewhale_mcp_redact::safe_url;
use http::{HeaderMap, HeaderName, StatusCode, header};
use url::Url;

use crate::{NetError, Redirects};

/// The most hops of one request.
const HOPS: usize = 5;

/// The next hop of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hop {
    /// In the same origin: everything stays.
    Same(Url),
    /// To https on the same host: consent, proxy and credentials stay behind.
    Bare(Url),
}

/// Where an answer sends us, `None` when it is no redirect.
///
/// # Errors
/// [`NetError::Redirected`] when it is one that is not followed.
pub(super) fn hop(
    rule: Redirects,
    from: &Url,
    made: usize,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Hop>, NetError> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = headers.get(header::LOCATION) else { return Ok(None) };
    let text = String::from_utf8_lossy(location.as_bytes());
    let refused = |target: &str, why| {
        Err(NetError::Redirected { status: status.as_u16(), target: safe_url(target), why })
    };
    let Ok(mut to) = from.join(&text) else { return refused(&text, "which is no URL") };
    to.set_fragment(None);
    let refused = |why| refused(to.as_str(), why);
    if !to.username().is_empty() || to.password().is_some() {
        return refused("with a user or a password in it");
    }
    let upgrade = from.scheme() == "http" && to.scheme() == "https" && from.host() == to.host();
    let within = from.origin() == to.origin();
    if !within && !upgrade {
        return refused("which is another origin");
    }
    match (rule, status.as_u16()) {
        (Redirects::Same, 307 | 308) | (Redirects::Within, 301 | 302 | 307 | 308) => {}
        (Redirects::Same, _) if within && is_slash_apart(from, &to) => {
            return refused("which differs in the slash at its end: the URL has to be written that way");
        }
        (Redirects::Same, _) => return refused("which drops the message: only 307 and 308 are followed"),
        (Redirects::Within, _) | (Redirects::Refused, _) => return refused("which is not followed here"),
    }
    if made >= HOPS {
        return refused("after too many others");
    }
    match (within, rule) {
        (true, _) => Ok(Some(Hop::Same(to))),
        (false, Redirects::Same) => Ok(Some(Hop::Bare(to))),
        (false, _) => refused("which is another origin"),
    }
}

/// What of a request's headers may go along when the credentials stay behind.
pub(super) fn bare(headers: &HeaderMap) -> HeaderMap {
    const ALONG: [HeaderName; 4] =
        [header::ACCEPT, header::ACCEPT_ENCODING, header::CONTENT_TYPE, header::USER_AGENT];
    let mut bare = HeaderMap::with_capacity(ALONG.len());
    for name in ALONG {
        if let Some(value) = headers.get(&name) {
            bare.insert(name, value.clone());
        }
    }
    bare
}

fn is_slash_apart(from: &Url, to: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    from.path() != to.path() && path(from) == path(to)
}
