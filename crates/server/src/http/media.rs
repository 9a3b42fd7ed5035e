//! What a request brings and takes: `Content-Type` and `Accept` (RFC 9110, sections 8.3 and 12.5.1).

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE};

/// The type of a message.
pub(super) const JSON: &str = "application/json";
/// The type of a stream of messages.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// Whether the body is JSON, in UTF-8 as far as it says.
pub(super) fn brings_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(first), None) = (types.next(), types.next()) else { return false };
    let Ok(text) = first.to_str() else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|media| media.eq_ignore_ascii_case(JSON));
    let charset = parts.find_map(|part| value_of(part, "charset"));
    is_json && charset.is_none_or(|charset| charset.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

/// Whether an answer of this type is taken. Who says nothing takes anything.
pub(super) fn takes(headers: &HeaderMap, media: &str) -> bool {
    let mut ranges = headers.get_all(ACCEPT).iter().peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let ranges = ranges.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    // The most exact range decides.
    let decisive = ranges.filter_map(|range| fits(range, media)).max_by_key(|(exactness, _)| *exactness);
    decisive.is_some_and(|(_, wanted)| wanted)
}

/// How exactly a range names the type, if it does, and whether it is wanted at all.
fn fits(range: &str, media: &str) -> Option<(u8, bool)> {
    let mut parts = range.split(';').map(str::trim);
    let name = parts.next()?;
    let (kind, _) = media.split_once('/')?;
    let exactness = match name.split_once('/')? {
        _ if name.eq_ignore_ascii_case(media) => 2,
        (theirs, "*") if theirs.eq_ignore_ascii_case(kind) => 1,
        ("*", "*") => 0,
        _ => return None,
    };
    let weight = parts.find_map(|part| value_of(part, "q"));
    let wanted = weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0));
    Some((exactness, wanted))
}

fn value_of<'a>(part: &'a str, name: &str) -> Option<&'a str> {
    let (key, value) = part.split_once('=')?;
    key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
}
