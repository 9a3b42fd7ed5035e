//! The text that must not reach a terminal as it is.

use crate::json::quote;

/// Clears the screen, sets the title, makes a link, writes the clipboard, colours by a one-byte introducer, goes
/// back, rings, turns the direction of writing, hides and breaks lines.
pub(super) const TEXT: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}]8;;https://evil.example\u{7}link\u{1b}]8;;\u{7}\u{1b}]52;c;aGk=\u{7}\u{9b}31m\r\u{8}\u{0}\u{7f}\u{202e}txt.exe\u{202c}\u{200b}\u{2028}\u{1b}P+q\u{1b}\\\u{1b}[?1049h\nnext line";

/// The same with a word before it, as a JSON string.
pub(super) fn spoilt(word: &str) -> String {
    quote(&format!("{word} {TEXT}"))
}
