//! Values that a vendor's page wants to be replaced.

/// Whether a value stands for another one: `<YOUR_TOKEN>`, `YOUR_API_KEY`, `token-here`, `xxx`, also behind `Bearer`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let value = match value.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => rest.trim(),
        _ => value,
    };
    let within = |open: &str, close: &str| {
        let inner = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).unwrap_or_default();
        inner.starts_with(char::is_alphabetic)
            && inner.chars().all(|c| c.is_alphanumeric() || " _-./".contains(c))
    };
    if within("<", ">") || within("{{", "}}") || within("[", "]") {
        return true;
    }
    if value.len() >= 3 && ["x", "X", "*", "."].iter().any(|c| value.replace(c, "").is_empty()) {
        return true;
    }
    let words: Vec<String> = value
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|w| !w.is_empty())
        .collect();
    match &words[..] {
        [first, .., last] if first == "your" || last == "here" => true,
        words => ["changeme", "replaceme", "placeholder", "todo"].contains(&words.concat().as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn what_wants_to_be_replaced_is_told_from_what_is_meant() {
        for value in [
            "<YOUR_TOKEN>",
            "<your token>",
            "YOUR_API_KEY",
            "your-api-key-here",
            "insert_token_here",
            "Bearer YOUR_TOKEN",
            "{{TOKEN}}",
            "[KEY]",
            "xxx",
            "XXXXXXXX",
            "********",
            "...",
            "change-me",
            "CHANGEME",
            "/path/to/here",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in [
            "",
            "x",
            "..",
            "here",
            "your",
            "hunter2",
            "[1]",
            "[\"a\"]",
            "{\"a\":1}",
            "<",
            "a<b>",
            "Bearer abc",
            "--",
            "[::1]",
        ] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
