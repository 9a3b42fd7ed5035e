//! What must not be seen, and what of it is a word of ours all the same.

use std::borrow::Cow;

use codewhale_mcp_redact::{Redactor, Secret, is_ordinary, map_strings};

/// Words that we print, in JSON and for people, and words that the protocol gives a meaning. A password may be such a
/// word: it is hidden in what others say, and stays where we say it, or nobody could read us.
const OWN: &str = include_str!("words.txt");

/// Members of our JSON whose strings are our own, also beside what a server answered.
const OWN_MEMBERS: [&str; 9] =
    ["server", "tool", "prompt", "uri", "event", "saved", "task_id", "argument", "warnings"];

/// The known secrets. What others say is searched for all of them; in what we say, words of ours and names that the
/// user gave are spared.
#[derive(Default)]
pub(super) struct Hidden {
    all: Redactor,
    names: Vec<String>,
    /// Names that servers gave.
    heard: Vec<String>,
    /// Without what is a word of ours or a name.
    in_values: Redactor,
    /// Without numbers too, which are no strings in a line.
    in_lines: Redactor,
}

impl Hidden {
    pub(super) fn hide<'s>(&mut self, secrets: impl IntoIterator<Item = &'s Secret<String>>) {
        self.all.extend(secrets);
        self.sift();
    }

    pub(super) fn spare(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
        self.sift();
    }

    pub(super) fn spare_words(&mut self, names: impl IntoIterator<Item = String>) {
        self.heard.extend(names);
        self.sift();
    }

    fn sift(&mut self) {
        if self.all.is_empty() {
            return;
        }
        let within = |names: &[String], secret: &str| names.iter().any(|name| name.contains(secret));
        let own = |secret: &str| {
            OWN.contains(secret)
                || within(&self.names, secret)
                || (is_ordinary(secret) && within(&self.heard, secret))
        };
        let in_values = self.all.without(own);
        self.in_lines = in_values.without(|secret| secret.bytes().all(|byte| byte.is_ascii_digit()));
        self.in_values = in_values;
    }

    /// For lines that we make.
    pub(super) fn in_lines(&self) -> &Redactor {
        &self.in_lines
    }

    /// What somebody else said.
    pub(super) fn said<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.all.apply(text)
    }

    /// JSON that we make.
    pub(super) fn ours(&self, json: String) -> String {
        changed(self.in_values.apply_json(&json)).unwrap_or(json)
    }

    /// JSON that we make around what a server answered.
    pub(super) fn answered(&self, json: String) -> String {
        if self.all.is_empty() {
            return json;
        }
        let shown = map_strings(&json, |member, value| {
            if OWN_MEMBERS.contains(&member) {
                return changed(self.in_values.apply(value));
            }
            let protocol = || OWN.lines().any(|word| word == value);
            changed(self.all.apply(value)).filter(|_| !protocol())
        });
        changed(shown).unwrap_or(json)
    }
}

fn changed(text: Cow<'_, str>) -> Option<String> {
    match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(secrets: &[&str], names: &[&str]) -> Hidden {
        let secrets: Vec<_> = secrets.iter().map(|secret| Secret::new((*secret).to_owned())).collect();
        let mut hidden = Hidden::default();
        hidden.hide(&secrets);
        hidden.spare(names.iter().map(|name| (*name).to_owned()));
        hidden
    }

    #[test]
    fn our_words_names_and_numbers_stay_and_what_a_server_says_does_not_pass() {
        let mut hidden = hidden(&["postgres", "failed", "100000", "hunter2-hunter2"], &["my-postgres"]);
        hidden.spare_words(["hunter2-hunter2".to_owned()]);
        let lines = hidden.in_lines();
        assert_eq!(lines.apply("mcp_my-postgres_x failed 100000"), "mcp_my-postgres_x failed 100000");
        assert_eq!(lines.apply("hunter2-hunter2"), "REDACTED");
        assert_eq!(hidden.said("postgres failed 100000"), "REDACTED REDACTED REDACTED");
        assert_eq!(
            hidden.ours(r#"{"failed":"failed","tools":100000,"x":"100000","y":"my-postgres"}"#.into()),
            r#"{"failed":"failed","tools":100000,"x":"REDACTED","y":"my-postgres"}"#
        );
        assert_eq!(
            hidden.answered(
                r#"{"server":"my-postgres","result":{"status":"failed","text":"it failed","n":100000}}"#
                    .into()
            ),
            r#"{"server":"my-postgres","result":{"status":"failed","text":"it REDACTED","n":100000}}"#
        );
    }

    #[test]
    fn what_a_server_calls_its_tools_stays_unless_it_is_no_word() {
        let mut hidden = hidden(&["mariadb", "topsecret1"], &[]);
        assert_eq!(hidden.in_lines().apply("mariadb_query topsecret1"), "REDACTED_query REDACTED");
        hidden.spare_words(["mariadb_query", "topsecret1"].map(ToOwned::to_owned));
        assert_eq!(hidden.in_lines().apply("mariadb_query topsecret1"), "mariadb_query REDACTED");
    }

    #[test]
    fn every_word_of_the_reference_is_ours() {
        let page = include_str!("../../../../docs/reference/json.md");
        // The prose, not the examples.
        let prose = page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
        let word = |word: &&str| word.len() >= 6 && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        for word in prose.filter(word) {
            assert!(OWN.contains(word), "{word}");
        }
    }
}
