//! Reads what vendors print on their pages.

use codewhale_mcp_redact::safe_line;
use thiserror::Error;

use super::Definition;
use crate::entry::suggestion;
use crate::file::CONTAINERS;
use crate::json::{Document, Member, Node, ParseError};
use crate::{Scope, Source};

/// What a pasted text holds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Snippet {
    /// The name it gives the server, if it gives one.
    pub name: Option<String>,
    /// The server.
    pub definition: Definition,
}

/// Why a pasted text holds no server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnippetError {
    /// It is no JSON.
    #[error(transparent)]
    Unusable(#[from] ParseError),
    /// It has neither an entry nor a named one.
    #[error("the text holds no server, which has a `command` or a `url`{}", meant(near.as_ref()))]
    NoServer {
        /// A member that is unknown, safe to print, and what was probably meant.
        near: Option<(String, &'static str)>,
    },
    /// It has several servers, none of the wanted name.
    #[error("the text holds several servers and none is called `{wanted}`: {}", names.join(", "))]
    Several {
        /// The wanted name, safe to print.
        wanted: String,
        /// Their names, safe to print.
        names: Vec<String>,
    },
}

fn meant(near: Option<&(String, &'static str)>) -> String {
    near.map_or_else(String::new, |(key, meant)| format!("; `{key}` is unknown, did you mean `{meant}`"))
}

/// Reads one server out of a text: a bare entry, `{"name": {…}}` (also without the outer braces), or a whole file with
/// `mcpServers` or `servers`. Of several servers the one named `wanted` is taken.
pub fn parse_snippet(text: &str, wanted: &str) -> Result<Snippet, SnippetError> {
    let source = Source::label("JSON argument", Scope::User);
    let braced;
    let text = match text.trim_start().starts_with('"') {
        true => {
            braced = format!("{{{text}}}");
            &braced
        }
        false => text,
    };
    let document = Document::parse(text, &source)?;
    let members = document.root.members().unwrap_or_default();
    if let Some(containers) = containers(members) {
        return pick(containers.iter().flat_map(|container| container.members().unwrap_or_default()), wanted);
    }
    let is_entry = |member: &&Member| matches!(member.key.trim(), "command" | "url" | "type" | "transport");
    // `command` of an entry is a string; a server may have that name too.
    if members.iter().filter(is_entry).any(|member| member.value.members().is_none()) {
        return Ok(Snippet { name: None, definition: Definition::new(document.root.clone()) });
    }
    // An entry without its `command` is no server called `env`.
    let is_part = |member: &Member| {
        let inner = member.value.members().unwrap_or_default();
        matches!(member.key.as_str(), "env" | "headers" | "oauth") && !inner.iter().any(|m| is_entry(&m))
    };
    let servers = members.iter().filter(|member| member.value.members().is_some() && !is_part(member));
    pick(servers, wanted).map_err(|error| match error {
        SnippetError::NoServer { .. } => SnippetError::NoServer { near: near(members) },
        other => other,
    })
}

/// A member that was probably meant to say how the server is reached.
fn near(members: &[Member]) -> Option<(String, &'static str)> {
    members.iter().find_map(|member| {
        let meant = suggestion(&member.key).filter(|meant| matches!(*meant, "command" | "url"))?;
        Some((safe_line(&member.key).into_owned(), meant))
    })
}

/// The objects that hold servers, also within VS Code's `mcp`.
fn containers(members: &[Member]) -> Option<Vec<&Node>> {
    let within = |members: &'_ [Member]| -> Vec<usize> {
        let is_container = |m: &Member| CONTAINERS.contains(&m.key.as_str()) && m.value.members().is_some();
        (0..members.len()).filter(|at| is_container(&members[*at])).collect()
    };
    let found = within(members);
    if !found.is_empty() {
        return Some(found.into_iter().map(|at| &members[at].value).collect());
    }
    let inner = members.iter().find(|member| member.key == "mcp")?.value.members()?;
    let found = within(inner);
    (!found.is_empty()).then(|| found.into_iter().map(|at| &inner[at].value).collect())
}

fn pick<'m>(entries: impl Iterator<Item = &'m Member>, wanted: &str) -> Result<Snippet, SnippetError> {
    let entries: Vec<&Member> = entries.collect();
    let snippet = |entry: &Member| Snippet {
        name: Some(entry.key.clone()),
        definition: Definition::new(entry.value.clone()),
    };
    let named: Vec<_> = entries.iter().filter(|entry| entry.key == wanted).collect();
    match (named.as_slice(), entries.as_slice()) {
        ([entry], _) => Ok(snippet(entry)),
        (_, [entry]) => Ok(snippet(entry)),
        (_, []) => Err(SnippetError::NoServer { near: None }),
        (_, several) => Err(SnippetError::Several {
            wanted: safe_line(wanted).into_owned(),
            names: several.iter().map(|entry| safe_line(&entry.key).into_owned()).collect(),
        }),
    }
}
