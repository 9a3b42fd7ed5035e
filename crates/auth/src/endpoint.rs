//! URLs that documents of strangers name.

use codewhale_mcp_net::{Nearness, Origin};
use codewhale_mcp_redact::safe_url;
use url::Url;

use crate::LoginError;

/// Judges a URL by what is written in it: `https`, or `http` to this machine, which the guard has a say in, too.
///
/// # Errors
/// [`LoginError::Endpoint`], naming `what`.
pub fn endpoint(what: &'static str, text: &str) -> Result<Url, LoginError> {
    let refused = |reason| LoginError::Endpoint { what, url: safe_url(text), reason };
    let url = Url::parse(text).map_err(|_| refused("is no URL"))?;
    let origin = Origin::of(&url).map_err(|_| refused("is neither https nor http"))?;
    if url.scheme() == "http" && origin.nearness() == Nearness::Elsewhere {
        return Err(refused("is not encrypted: https is needed"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("has a user in it"));
    }
    if url.fragment().is_some() {
        return Err(refused("has a fragment"));
    }
    Ok(url)
}
