//! An error with its causes, on one line.

use std::error::Error;

/// What an error says, and what its causes say.
pub(super) fn reason(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
