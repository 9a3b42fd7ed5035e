//! Parts of a definition as they may be seen.

use codewhale_mcp_config::{Kind, Origin, Pair, Place, ServerEntry};
use codewhale_mcp_redact::{REDACTED, Secret, safe_args, safe_url};
use serde::Serialize;

/// A place, for machines.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ShownPlace {
    /// The file, or the name of what is no file.
    source: String,
    line: u32,
    column: u32,
}

impl From<&Place> for ShownPlace {
    fn from(place: &Place) -> Self {
        let source = match &place.origin {
            Origin::File(path) => path.to_string_lossy().into_owned(),
            Origin::Label(label) => label.to_string(),
        };
        Self { source, line: place.line, column: place.column }
    }
}

/// What a server is reached by: its program and arguments, or its URL. Nothing is expanded, secrets are hidden.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Reached {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
}

impl Reached {
    pub(crate) fn of(entry: &ServerEntry) -> Self {
        match entry.kind {
            Kind::Stdio => Self { command: command(entry), args: Some(arguments(entry)), url: None },
            _ => Self { url: entry.url.as_ref().map(|url| safe_url(&url.value)), ..Self::default() },
        }
    }

    /// The same with nothing hidden, for somebody who is asked whether it may run: what a consent is bound to is seen.
    pub(crate) fn whole(entry: &ServerEntry) -> Self {
        match entry.kind {
            Kind::Stdio => Self {
                command: entry.command.as_ref().map(|command| command.value.clone()),
                args: Some(entry.args.iter().map(|arg| arg.value.clone()).collect()),
                url: None,
            },
            _ => Self { url: entry.url.as_ref().map(|url| url.value.clone()), ..Self::default() },
        }
    }

    /// One line, with the quotes that a shell would need.
    pub(crate) fn line(&self) -> String {
        let words = self.command.iter().chain(self.args.iter().flatten()).map(|word| crate::hint::word(word));
        self.url.clone().unwrap_or_else(|| words.collect::<Vec<_>>().join(" "))
    }
}

/// The program, with what looks like a secret hidden: somebody may have written a whole command line there.
pub(crate) fn command(entry: &ServerEntry) -> Option<String> {
    safe_args(&[&entry.command.as_ref()?.value]).pop()
}

/// The arguments, with what looks like a secret hidden.
pub(crate) fn arguments(entry: &ServerEntry) -> Vec<String> {
    safe_args(&entry.args.iter().map(|arg| arg.value.as_str()).collect::<Vec<_>>())
}

/// A value that is always hidden, save where it only says which variable holds it.
pub(crate) fn hidden(pair: &Pair<Secret<String>>) -> String {
    let value = pair.value.value.expose();
    if is_reference(value) { value.clone() } else { REDACTED.to_owned() }
}

/// Whether a text is `${NAME}` or `${env:NAME}` and nothing more.
fn is_reference(text: &str) -> bool {
    let inner = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let name = inner.map(|inner| inner.strip_prefix("env:").unwrap_or(inner));
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_reference_is_shown() {
        for shown in ["${TOKEN}", "${env:TOKEN}"] {
            assert!(is_reference(shown), "{shown}");
        }
        for secret in ["abc", "Bearer ${TOKEN}", "${TOKEN:-abc}", "${}", "${A}${B}", "$TOKEN"] {
            assert!(!is_reference(secret), "{secret}");
        }
    }
}
