//! URLs without the credentials in them.

use url::{Url, form_urlencoded};

use crate::detect::{is_known_token, is_secret_name, looks_like_secret};
use crate::{REDACTED, safe_line};

/// Query parameters that carry a credential only in URLs, where [`is_secret_name`] would be too broad elsewhere.
const SECRET_PARAMETERS: &[&str] =
    &["code", "state", "sig", "signature", "session", "sid", "ticket", "code_verifier"];

/// Shows a URL without its user-info, its secret-looking query or fragment values, and path segments that are known
/// tokens. The rest stays as it was written, made safe for one line of a terminal.
///
/// Works on text that is no URL too, and then rather hides too much.
pub fn safe_url(url: &str) -> String {
    let shown = hide(url);
    // A URL parser skips characters and slashes that the eye does not; if it still finds a credential, show nothing.
    let clean = Url::parse(&shown).map_or(true, |parsed| {
        (parsed.username().is_empty() || parsed.username() == REDACTED) && parsed.password().is_none()
    });
    match clean {
        true => safe_line(&shown).into_owned(),
        false => REDACTED.to_owned(),
    }
}

fn hide(url: &str) -> String {
    let (rest, fragment) = split(url, '#');
    let (rest, query) = split(rest, '?');
    let (scheme, after_scheme) = rest.split_at(scheme_length(rest));
    let slashes = after_scheme.len() - after_scheme.trim_start_matches(['/', '\\']).len();
    let (slashes, rest) = after_scheme.split_at(slashes);
    let authority = match Url::parse(url) {
        Ok(_) => rest.find('/').unwrap_or(rest.len()),
        Err(_) => rest.len(),
    };
    let (authority, path) = rest.split_at(authority);
    let mut shown = format!("{scheme}{slashes}");
    // What does not parse may hold its `@` anywhere, behind a `/`, `?` or `#` in a password too.
    if Url::parse(url).is_err()
        && let Some(at) = url.rfind('@')
    {
        shown.push_str(REDACTED);
        shown.push_str(&hide_tail(&url[at..]));
        return shown;
    }
    match authority.rsplit_once('@') {
        Some((_, host)) => shown.extend([REDACTED, "@", host]),
        None => shown.push_str(authority),
    }
    shown.push_str(&hide_segments(path));
    if let Some(query) = query {
        shown.push('?');
        shown.push_str(&hide_parameters(query));
    }
    if let Some(fragment) = fragment {
        shown.push('#');
        shown.push_str(&hide_parameters(fragment));
    }
    shown
}

/// The part from the last `@` on of something that is no URL.
fn hide_tail(tail: &str) -> String {
    match tail.find(['?', '#']) {
        Some(at) => format!("{}{}{}", &tail[..at], &tail[at..=at], hide_parameters(&tail[at + 1..])),
        None => tail.to_owned(),
    }
}

fn hide_segments(path: &str) -> String {
    path.split('/')
        .map(|segment| if is_known_token(segment) { REDACTED } else { segment })
        .collect::<Vec<_>>()
        .join("/")
}

fn hide_parameters(query: &str) -> String {
    let mut shown = String::with_capacity(query.len());
    for piece in query.split_inclusive(['&', ';', '?']) {
        let (pair, separator) = match piece.char_indices().next_back() {
            Some((at, '&' | ';' | '?')) => piece.split_at(at),
            _ => (piece, ""),
        };
        match pair.split_once('=') {
            Some((name, value)) if is_secret_parameter(name, value) => shown.extend([name, "=", REDACTED]),
            None if looks_like_secret(&decode(pair)) => shown.push_str(REDACTED),
            _ => shown.push_str(pair),
        }
        shown.push_str(separator);
    }
    shown
}

fn is_secret_parameter(name: &str, value: &str) -> bool {
    let name = decode(name);
    !value.is_empty()
        && (is_secret_name(&name)
            || SECRET_PARAMETERS.iter().any(|known| name.eq_ignore_ascii_case(known))
            || looks_like_secret(&decode(value)))
}

fn decode(piece: &str) -> String {
    form_urlencoded::parse(piece.as_bytes()).map(|(name, value)| format!("{name}{value}")).collect()
}

/// The length of `scheme:` at the start, 0 if there is none.
fn scheme_length(text: &str) -> usize {
    match text.find(':') {
        Some(at)
            if text.starts_with(|c: char| c.is_ascii_alphabetic())
                && text[..at].chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')) =>
        {
            at + 1
        }
        _ => 0,
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}
