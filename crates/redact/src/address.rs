//! URLs without the credentials in them.

use std::ops::Range;

use url::{Url, form_urlencoded};

use crate::detect::{is_known_token, is_secret_name, looks_like_secret};
use crate::spans::{cover, merged, secrets};
use crate::{REDACTED, Secret, safe_line};

/// Query parameters that carry a credential only in URLs, where [`is_secret_name`] would be too broad elsewhere.
const SECRET_PARAMETERS: &[&str] =
    &["code", "state", "sig", "signature", "session", "sid", "ticket", "code_verifier"];

/// Shows a URL without its user-info, its secret-looking query or fragment values, and path segments that are tokens.
/// The rest stays as it was written, made safe for one line of a terminal.
///
/// Works on text that is no URL too, and then rather hides too much.
pub fn safe_url(url: &str) -> String {
    safe_line(&cover(url, &spans(url))).into_owned()
}

/// What [`safe_url`] hides of a URL, for a [`Redactor`](crate::Redactor): as it is written, and decoded; of user and
/// password, the password too.
pub fn secrets_in_url(url: &str) -> Vec<Secret<String>> {
    secrets(url, &spans(url))
}

/// The parts that are hidden, in order.
pub(crate) fn spans(url: &str) -> Vec<Range<usize>> {
    let spans = merged(find(url));
    // A URL parser skips characters and slashes that the eye does not; if it still finds a credential, show nothing.
    let clean = Url::parse(&cover(url, &spans)).map_or(true, |parsed| {
        (parsed.username().is_empty() || parsed.username() == REDACTED) && parsed.password().is_none()
    });
    if clean { spans } else { std::iter::once(0..url.len()).collect() }
}

fn find(url: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let parses = Url::parse(url).is_ok();
    // What does not parse may hold its `@` anywhere, behind a `/`, `?` or `#` in a password too.
    if !parses && let Some(at) = url.rfind('@') {
        spans.push(0..at);
        if let Some(mark) = url[at..].find(['?', '#']) {
            parameters(url, at + mark + 1..url.len(), &mut spans);
        }
        return spans;
    }
    let fragment = url.find('#').unwrap_or(url.len());
    let query = url[..fragment].find('?').unwrap_or(fragment);
    let scheme = scheme_length(&url[..query]);
    let slashes = url[scheme..query].len() - url[scheme..query].trim_start_matches(['/', '\\']).len();
    let start = scheme + slashes;
    let path = url[start..query].find('/').filter(|_| parses).map_or(query, |at| start + at);
    let host = match url[start..path].rfind('@') {
        Some(at) => {
            spans.push(start..start + at);
            start + at + 1
        }
        None => start,
    };
    segments(url, &url[host..path], path..query, &mut spans);
    parameters(url, (query + 1).min(fragment)..fragment, &mut spans);
    parameters(url, (fragment + 1).min(url.len())..url.len(), &mut spans);
    spans
}

/// Path segments that are tokens. Who knows the URL of a webhook may post there, so what follows such a word counts.
fn segments(url: &str, host: &str, path: Range<usize>, spans: &mut Vec<Range<usize>>) {
    let mut behind_hook = false;
    let mut at = path.start;
    for (number, segment) in url[path].split('/').enumerate() {
        let plain = segment.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == '_');
        // The first one is empty, since a path starts with a slash.
        let slack = number > 1 && host.eq_ignore_ascii_case("hooks.slack.com");
        if !segment.is_empty() && (slack || (behind_hook && !plain) || is_token_segment(segment)) {
            spans.push(at..at + segment.len());
        }
        behind_hook |= matches!(segment, "webhook" | "webhooks" | "hook" | "hooks");
        at += segment.len() + 1;
    }
}

fn is_token_segment(segment: &str) -> bool {
    let count = |of: fn(&char) -> bool| segment.chars().filter(of).count();
    let random = segment.len() >= 20
        && segment.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && count(char::is_ascii_uppercase) >= 2
        && count(char::is_ascii_lowercase) >= 2
        && count(char::is_ascii_digit) >= 2;
    // `bot<number>:<token>`
    let bot = segment.strip_prefix("bot").and_then(|rest| rest.split_once(':'));
    random
        || is_known_token(segment)
        || bot.is_some_and(|(id, key)| {
            !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && key.len() >= 8
        })
}

fn parameters(url: &str, range: Range<usize>, spans: &mut Vec<Range<usize>>) {
    let mut at = range.start;
    for pair in url[range].split(['&', ';', '?']) {
        match pair.split_once('=') {
            Some((name, value)) if is_secret_parameter(name, value) => {
                spans.push(at + name.len() + 1..at + pair.len());
            }
            None if looks_like_secret(&decode(pair)) => spans.push(at..at + pair.len()),
            _ => {}
        }
        at += pair.len() + 1;
    }
}

fn is_secret_parameter(name: &str, value: &str) -> bool {
    let name = decode(name);
    !value.is_empty()
        && (is_secret_name(&name)
            || SECRET_PARAMETERS.iter().any(|known| name.eq_ignore_ascii_case(known))
            || name.to_ascii_lowercase().ends_with("-signature")
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
