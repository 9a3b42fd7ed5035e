//! Values that say nothing that must be hidden.

use std::net::IpAddr;

use crate::detect::looks_like_secret;

/// Shorter ones (in bytes) are flags, numbers and words.
const SHORT: usize = 8;

/// Whether a value (of an environment variable whose name says nothing) is a setting and no secret: a flag, a number, a
/// word, a path or a list of paths, options, a host, or a URL without user, query and fragment. What is none of these
/// may be a secret.
pub fn is_ordinary(value: &str) -> bool {
    let value = value.trim();
    if looks_like_secret(value) || !crate::spans::spans(value).is_empty() {
        return false;
    }
    value.len() < SHORT
        || value.parse::<f64>().is_ok()
        || is_word(value)
        || is_path(value)
        || value.starts_with('-')
        || is_place(value)
}

/// `production`, `Europe/Berlin`, `en_US.UTF-8` without its digit: at most two words of letters.
fn is_word(value: &str) -> bool {
    let mut parts = value.split(['-', '_', '.', '/']);
    let word = |part: &str| part.len() < 20 && !part.is_empty() && part.chars().all(char::is_alphabetic);
    parts.clone().count() <= 2 && parts.all(word)
}

fn is_path(value: &str) -> bool {
    let drive = |path: &str| {
        let mut chars = path.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.next() == Some(':')
            && matches!(chars.next(), Some('\\' | '/'))
    };
    let starts = |path: &str| ["/", "./", "../", "~/", "\\\\"].iter().any(|start| path.starts_with(start));
    drive(value) || value.split(':').all(starts)
}

/// A host with or without a port, or a URL of nothing but host and path.
fn is_place(value: &str) -> bool {
    let place = match value.split_once("://") {
        Some((_, rest)) if !rest.contains(['?', '#', '@']) => rest.split('/').next().unwrap_or_default(),
        Some(_) => return false,
        None => value,
    };
    let (host, port) = place.rsplit_once(':').unwrap_or((place, "1"));
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let name = |host: &str| {
        let last = host.rsplit('.').next().unwrap_or_default();
        (host == "localhost" || host.contains('.') || value.contains("://"))
            && host.split('.').all(label)
            && last.starts_with(|c: char| c.is_ascii_lowercase())
    };
    port.parse::<u16>().is_ok() && (name(host) || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok())
}
