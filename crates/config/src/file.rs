//! One `mcp.json`: its servers in the order of the text.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use codewhale_mcp_redact::safe_line;
use codewhale_mcp_store::{ReadError, read_bounded};
use thiserror::Error;

use crate::entry::{DefinitionHash, Fields, ServerEntry, read_definition, read_timeouts};
use crate::json::{Data, Document, Lines, Member, Node, ParseError, ParseReason};
use crate::suggest::closest;
use crate::timeouts::TimeoutSettings;
use crate::{Place, Problem, Scope, Source, Warning};

/// The largest file that is read, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 * 1024 * 1024;

/// The members that hold servers.
pub(crate) const CONTAINERS: [&str; 2] = ["servers", "mcpServers"];

/// Members of a file that count, or that other programs put there.
const TOP_LEVEL: &[&str] = &["servers", "mcpServers", "timeouts"];

/// A parsed `mcp.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpFile {
    /// What it was read from.
    pub source: Source,
    /// Its servers, in the order of the text; a name stands here once.
    pub entries: Vec<Entry>,
    /// The block `timeouts`. It counts for the servers of this file, and the user's for all.
    pub timeouts: TimeoutSettings,
    /// What is wrong outside the entries; a timeout with a problem counts as not set.
    pub problems: Vec<Problem>,
    /// What is odd outside the entries.
    pub warnings: Vec<Warning>,
}

/// One server of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The name as written. It may hold anything if the definition is refused; print it through `safe_line`.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    /// The definition, or everything that is wrong with it. A refused entry keeps its name taken.
    pub definition: Result<ServerEntry, Vec<Problem>>,
    /// Whether it is on and says `required: true`, also where the rest of it is refused. Of a name that stands twice, one of
    /// both is enough.
    pub is_required: bool,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
    /// What a consent is bound to.
    pub hash: DefinitionHash,
}

/// A file could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It could not be read; [`ReadError::Missing`] if it is not there.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// Its text makes no sense.
    #[error(transparent)]
    Unusable(#[from] ParseError),
}

impl FileError {
    /// Whether the file is simply not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Unreadable(ReadError::Missing { .. }))
    }
}

impl McpFile {
    /// Reads a file of at most [`MAX_FILE_SIZE`].
    pub fn read(path: &Path, scope: Scope) -> Result<Self, FileError> {
        let source = Source::file(path, scope);
        let bytes = read_bounded(path, MAX_FILE_SIZE)?;
        Ok(Self::parse(text(&bytes, &source)?, &source)?)
    }

    /// Parses a text. Fails only if the text as a whole is unusable; a bad entry disables itself alone.
    pub fn parse(text: &str, source: &Source) -> Result<Self, ParseError> {
        let document = Document::parse(text, source)?;
        let root = document.root.members().unwrap_or_default();
        let mut named = Vec::new();
        let mut warnings = Vec::new();
        let mut seen: HashMap<&'static str, &Member> = HashMap::new();
        for member in root {
            let Some(key) = CONTAINERS.iter().copied().find(|key| *key == member.key) else { continue };
            let Data::Object(members) = &member.value.data else {
                let reason = ParseReason::NotAnObject { key: Some(key), found: member.value.kind() };
                return Err(document.refuse(member.value.span.start, reason));
            };
            if let Some(first) = seen.insert(key, member) {
                let (place, first) =
                    (document.place(member.key_span.start), document.place(first.key_span.start));
                warnings.push(Warning::SecondContainer { place, key, first });
            }
            named.extend(members);
        }
        // A container that stands twice has its warning; what else stands twice is a problem.
        let outside: Vec<Member> =
            root.iter().filter(|member| !CONTAINERS.contains(&member.key.as_str())).cloned().collect();
        let mut fields = Fields::new(&document, &outside);
        let strangers: Vec<Member> =
            outside.iter().filter(|member| member.key != "$schema").cloned().collect();
        fields.warn_unknown(&strangers, TOP_LEVEL, |key| closest(key, TOP_LEVEL));
        let timeouts = read_timeouts(&mut fields);
        let Fields { problems, warnings: more, .. } = fields;
        warnings.extend(more);
        Ok(Self { source: source.clone(), entries: entries(&document, &named), timeouts, problems, warnings })
    }

    /// The server of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

fn entries(document: &Document<'_>, named: &[&Member]) -> Vec<Entry> {
    let mut places: HashMap<&str, Vec<Place>> = HashMap::new();
    let mut required: HashSet<&str> = HashSet::new();
    for member in named {
        places.entry(&member.key).or_default().push(document.place(member.key_span.start));
        required.extend(says_required(&member.value).then_some(member.key.as_str()));
    }
    let mut entries = Vec::with_capacity(places.len());
    for member in named {
        let Some(places) = places.remove(member.key.as_str()) else { continue };
        let place = places[0].clone();
        let hash = DefinitionHash::of(&member.value);
        let name = member.key.clone();
        let (definition, warnings) = if places.len() > 1 {
            let name = safe_line(&name).into_owned();
            (Err(vec![Problem::DuplicateName { name, places }]), Vec::new())
        } else if is_printable(&name) {
            read_definition(document, &name, &member.value)
        } else {
            (Err(vec![Problem::BadName { place: place.clone() }]), Vec::new())
        };
        let is_required = required.contains(name.as_str());
        entries.push(Entry { name, place, definition, is_required, warnings, hash });
    }
    entries
}

/// Whether nothing is to be done without a server, as far as that can be read of its entry.
fn says_required(entry: &Node) -> bool {
    let says = |key: &str, wanted: bool| {
        let mut members = entry.members().unwrap_or_default().iter().filter(|member| member.key == key);
        members.any(|member| matches!(member.value.data, Data::Bool(value) if value == wanted))
    };
    says("required", true) && !says("disabled", true) && !says("enabled", false)
}

/// A name that loads: not empty and printable.
fn is_printable(name: &str) -> bool {
    !name.trim().is_empty() && safe_line(name) == name
}

/// Whether a new server may have this name: `[A-Za-z0-9._-]{1,64}`.
pub fn valid_new_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

/// The text of a file, or why it has none.
pub(crate) fn text<'b>(bytes: &'b [u8], source: &Source) -> Result<&'b str, ParseError> {
    let refuse = |(line, column), reason| ParseError {
        place: source.at(line, column),
        reason,
        excerpt: String::new(),
    };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(refuse((1, 1), ParseReason::Utf16));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let sound = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let sound = sound.strip_prefix('\u{feff}').unwrap_or(sound);
        refuse(Lines::new(sound).position(sound.len()), ParseReason::NotUtf8)
    })
}
