//! What a token is for: the resource indicator (RFC 8707, section 2).

use codewhale_mcp_net::Origin;
use url::Url;

/// The URL of a server as it names a resource: without user, query and fragment, and without a slash that stands for
/// nothing.
#[must_use]
pub fn canonical(server: &Url) -> String {
    match server.path() {
        "/" => origin(server),
        path => format!("{}{path}", origin(server)),
    }
}

/// The origin of a URL as a text, without a slash at its end.
pub(crate) fn origin(url: &Url) -> String {
    Origin::of(url).map_or_else(|_| url.origin().ascii_serialization(), |origin| origin.to_string())
}

/// Whether metadata that name this resource speak of the server: the same, or in the same origin above it, by whole
/// segments of the path.
#[must_use]
pub fn covers(resource: &str, server: &Url) -> bool {
    if resource == canonical(server) || resource == server.as_str() {
        return true;
    }
    let Ok(parsed) = Url::parse(resource) else { return false };
    let bare = parsed.username().is_empty() && parsed.password().is_none() && parsed.fragment().is_none();
    let same_origin = match (Origin::of(&parsed), Origin::of(server)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    let same_query = parsed.query().is_none() || parsed.query() == server.query();
    bare && same_origin && same_query && is_above(parsed.path(), server.path())
}

fn is_above(parent: &str, path: &str) -> bool {
    let parent = parent.trim_end_matches('/');
    path.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
