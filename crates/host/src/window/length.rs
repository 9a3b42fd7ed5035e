//! How long the window of the first prompt is.

use std::ffi::OsString;
use std::time::Duration;

/// The variables that may say it in milliseconds, the first one that is set and not empty decides.
pub const VARIABLES: [&str; 2] =
    ["CODEWHALE_FIRST_RUN_MCP_PREWAIT_TIMEOUT_MS", "CODEBUDDY_FIRST_RUN_MCP_PREWAIT_TIMEOUT_MS"];

/// How long it is if nothing says otherwise.
pub const DEFAULT_LENGTH: Duration = Duration::from_millis(2_000);

/// The length that an environment gives. What is no number in ASCII digits, or no text, means the default; a number
/// beyond 64 bits is as long as can be.
pub fn length(variable: impl Fn(&str) -> Option<OsString>) -> Duration {
    let decides = VARIABLES.iter().filter_map(|name| variable(name)).find(|value| !value.is_empty());
    match decides.as_ref().and_then(|value| value.to_str()) {
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Duration::from_millis(text.parse().unwrap_or(u64::MAX))
        }
        _ => DEFAULT_LENGTH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_empty_decides() {
        let rows: [(Option<&str>, Option<&str>, u64); 14] = [
            (None, None, 2_000),
            (Some("300"), None, 300),
            (None, Some("400"), 400),
            (Some("300"), Some("400"), 300),
            (Some(""), Some("400"), 400),
            (Some(""), Some(""), 2_000),
            (Some("0"), Some("400"), 0),
            (Some("000"), None, 0),
            (Some("x"), Some("400"), 2_000),
            (Some("-1"), None, 2_000),
            (Some("+5"), None, 2_000),
            (Some(" 5"), None, 2_000),
            (Some("1.5"), None, 2_000),
            (Some("99999999999999999999999"), None, u64::MAX),
        ];
        for (ours, theirs, millis) in rows {
            let variable = |name: &str| if name == VARIABLES[0] { ours } else { theirs }.map(OsString::from);
            assert_eq!(length(variable), Duration::from_millis(millis), "{ours:?} {theirs:?}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_text_decides_too_if_it_is_the_first() {
        use std::os::unix::ffi::OsStringExt;

        let variable = |name: &str| match name == VARIABLES[0] {
            true => Some(OsString::from_vec(vec![b'3', 0xff])),
            false => Some("400".into()),
        };
        assert_eq!(length(variable), DEFAULT_LENGTH);
    }

    #[test]
    fn other_digits_than_those_of_ascii_are_no_number() {
        assert_eq!(length(|_| Some("٣٠٠".into())), DEFAULT_LENGTH);
    }
}
