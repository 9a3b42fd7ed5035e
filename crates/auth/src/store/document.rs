//! The file's text: every entry under its name.

use std::collections::BTreeMap;

use codewhale_mcp_redact::Secret;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

/// The only layout that there is so far.
const VERSION: u32 = 1;

/// What the file holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) entries: BTreeMap<String, Secret<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    entries: BTreeMap<String, String>,
}

impl Document {
    /// Reads the text. The error says what is wrong and shows nothing of the text, which the parser's own might.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(text).map_err(|error| {
            let what = match error.classify() {
                Category::Data => "it has another shape than we write",
                _ => "it is not JSON",
            };
            format!("{what}, see line {}, column {}", error.line(), error.column())
        })?;
        match written.version {
            VERSION => {
                let wrap = |(name, text)| (name, Secret::new(text));
                Ok(Self { entries: written.entries.into_iter().map(wrap).collect() })
            }
            other => Err(format!("its version is {other}, and only version {VERSION} is known here")),
        }
    }

    /// The text of the file.
    pub(super) fn print(&self) -> Secret<String> {
        let unwrap = |(name, text): (&String, &Secret<String>)| (name.clone(), text.expose().clone());
        let written = Written { version: VERSION, entries: self.entries.iter().map(unwrap).collect() };
        let mut text = serde_json::to_string_pretty(&written).expect("strings are always JSON");
        text.push('\n');
        Secret::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        let mut document = Document::default();
        for (name, text) in [("server a 1", r#"{"token":"at-1"}"#), ("issuer b 2", "ü\n\"")] {
            document.entries.insert(name.to_owned(), Secret::new(text.to_owned()));
        }
        let printed = document.print();
        assert_eq!(Document::parse(printed.expose().as_bytes()), Ok(document));
        let empty = r#"{"version":1,"entries":{}}"#;
        assert_eq!(Document::parse(empty.as_bytes()), Ok(Document::default()));
    }

    #[test]
    fn what_is_damaged_says_where_and_shows_nothing() {
        let check = |text: &str, expected: &str| {
            let error = Document::parse(text.as_bytes()).unwrap_err();
            assert_eq!(error, expected, "{text}");
        };
        check("", "it is not JSON, see line 1, column 0");
        check(r#"{"version":1,"entries":{"a":"at-SECRET"#, "it is not JSON, see line 1, column 38");
        check("{\n\"version\":\"at-SECRET\"}", "it has another shape than we write, see line 2, column 21");
        check(
            r#"{"version":1,"entries":{"a":{"at":"SECRET"}}}"#,
            "it has another shape than we write, see line 1, column 28",
        );
        check(
            r#"{"version":1,"SECRET":2,"entries":{}}"#,
            "it has another shape than we write, see line 1, column 21",
        );
        check(r#"{"version":2,"entries":{}}"#, "its version is 2, and only version 1 is known here");
    }
}
