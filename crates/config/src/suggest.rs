//! "Did you mean".

/// The known name that an unknown one was probably meant to be: the same but for blanks and case, or a few letters off.
pub(crate) fn closest(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(key);
    if wanted.is_empty() {
        return None;
    }
    if let Some(same) = known.iter().find(|name| plain(name) == wanted) {
        return Some(same);
    }
    let distance = |name: &&&'static str| strsim::osa_distance(&plain(name), &wanted);
    let closest = known.iter().min_by_key(distance)?;
    // One letter of a short name, two of a long one.
    (distance(&closest) <= (wanted.chars().count() / 3).min(2)).then_some(*closest)
}
