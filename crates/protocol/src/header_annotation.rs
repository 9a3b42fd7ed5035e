//! Finds the `x-mcp-header` annotations of a schema, and those that must not be there.

use std::collections::{HashMap, HashSet};

use memchr::memmem;
use serde_json::value::RawValue;

use crate::{HeaderFault, Json, Members, ParameterType};

const KEYWORD: &str = "x-mcp-header";
/// The most bytes of a schema with annotations.
const MAX_SIZE: usize = 1 << 20;
/// The most levels that are looked into; a schema within another one's `properties` stands two levels below it.
const MAX_DEPTH: usize = 64;
/// The most annotations of a schema: servers take about so many headers.
const MAX_ANNOTATIONS: usize = 100;

/// Keywords whose values are data.
const DATA: &[&str] =
    &["$vocabulary", "const", "default", "dependentRequired", "enum", "example", "examples", "required"];
/// Keywords whose values are schemas by name.
const NAMED: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// One parameter that goes into a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Annotation {
    /// What follows `Mcp-Param-`, as written.
    pub(crate) name: String,
    /// The names of the members that lead to the argument, at least one.
    pub(crate) path: Vec<Box<str>>,
    pub(crate) kind: ParameterType,
}

impl Annotation {
    /// Where the argument stands.
    pub(crate) fn pointer(&self) -> String {
        pointer(self.path.iter().map(|name| &**name))
    }
}

/// The annotations of a schema, those nearest to the root first.
pub(crate) fn annotations_of(schema: &Json) -> Result<Vec<Annotation>, HeaderFault> {
    let text = schema.as_str();
    if !may_be_annotated(text.as_bytes()) {
        return Ok(Vec::new());
    }
    if text.len() > MAX_SIZE {
        return Err(HeaderFault::TooLarge { limit: MAX_SIZE });
    }
    let root =
        Node { text, name: "".into(), parent: 0, depth: 0, holds: Holds::Keywords, by_properties: true };
    let mut walk = Walk { nodes: vec![root], found: Vec::new(), names: HashSet::new() };
    let mut at = 0;
    while at < walk.nodes.len() {
        walk.look(at)?;
        at += 1;
    }
    Ok(walk.found)
}

/// Whether the word stands anywhere, or might, spelled with escapes of ASCII characters.
fn may_be_annotated(text: &[u8]) -> bool {
    let mut escapes = memmem::find_iter(text, br"\u00");
    memmem::find(text, KEYWORD.as_bytes()).is_some()
        || escapes.any(|at| matches!(text.get(at + 4), Some(b'2' | b'6' | b'7')))
}

/// What an object holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Keywords: the object is a schema.
    Keywords,
    /// Schemas, by names that are no keywords.
    Schemas,
}

/// A value of the schema, in the list of those to be looked at.
struct Node<'a> {
    text: &'a str,
    name: Box<str>,
    parent: usize,
    depth: usize,
    holds: Holds,
    /// Whether `properties` alone lead here.
    by_properties: bool,
}

/// A walk over a schema, one level after another, so that its depth costs no stack.
struct Walk<'a> {
    nodes: Vec<Node<'a>>,
    found: Vec<Annotation>,
    names: HashSet<String>,
}

impl<'a> Walk<'a> {
    fn look(&mut self, at: usize) -> Result<(), HeaderFault> {
        let node = &self.nodes[at];
        if node.depth > MAX_DEPTH {
            return Err(HeaderFault::TooDeep { limit: MAX_DEPTH });
        }
        let text = node.text;
        match text.as_bytes().first() {
            Some(b'{') => self.look_at_object(at),
            Some(b'[') => {
                let items: Vec<&'a RawValue> = serde_json::from_str(text)
                    .map_err(|_| HeaderFault::Unreadable { place: self.place(at) })?;
                for (number, item) in items.into_iter().enumerate() {
                    self.open(at, number.to_string().into(), item.get(), Holds::Keywords, false);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn look_at_object(&mut self, at: usize) -> Result<(), HeaderFault> {
        let &Node { text, holds, by_properties, .. } = &self.nodes[at];
        let members: Members<&'a RawValue> =
            serde_json::from_str(text).map_err(|_| HeaderFault::Unreadable { place: self.place(at) })?;
        let members = last_of_each(members);
        if holds == Holds::Schemas {
            for (name, text) in members {
                self.open(at, name, text, Holds::Keywords, by_properties);
            }
            return Ok(());
        }
        if let Some(annotation) = member(&members, KEYWORD) {
            let kind = member(&members, "type").and_then(parameter_type);
            self.add(at, annotation, kind)?;
        }
        for (name, text) in members {
            if &*name == KEYWORD || DATA.contains(&&*name) {
                continue;
            }
            let holds = if NAMED.contains(&&*name) { Holds::Schemas } else { Holds::Keywords };
            let by_properties = by_properties && &*name == "properties";
            self.open(at, name, text, holds, by_properties);
        }
        Ok(())
    }

    fn open(&mut self, parent: usize, name: Box<str>, text: &'a str, holds: Holds, by_properties: bool) {
        if text.starts_with(['{', '[']) {
            let depth = self.nodes[parent].depth + 1;
            self.nodes.push(Node { text, name, parent, depth, holds, by_properties });
        }
    }

    fn add(&mut self, at: usize, text: &str, kind: Option<ParameterType>) -> Result<(), HeaderFault> {
        let name: String =
            serde_json::from_str(text).map_err(|_| HeaderFault::NotAString { place: self.place(at) })?;
        if !is_token(&name) {
            return Err(HeaderFault::NotAToken { place: self.place(at), name });
        }
        if at == 0 || !self.nodes[at].by_properties {
            return Err(HeaderFault::Unreachable { place: self.place(at) });
        }
        let kind = kind.ok_or_else(|| HeaderFault::NotPrimitive { place: self.place(at) })?;
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(HeaderFault::Repeated { place: self.place(at), name });
        }
        if self.found.len() == MAX_ANNOTATIONS {
            return Err(HeaderFault::TooMany { limit: MAX_ANNOTATIONS });
        }
        let properties = self.line(at).into_iter().filter(|at| self.nodes[*at].holds == Holds::Keywords);
        let path = properties.map(|at| self.nodes[at].name.clone()).collect();
        self.found.push(Annotation { name, path, kind });
        Ok(())
    }

    /// The values that a value stands in and the value itself, outermost first, the root apart.
    fn line(&self, mut at: usize) -> Vec<usize> {
        let mut line = Vec::new();
        while at != 0 {
            line.push(at);
            at = self.nodes[at].parent;
        }
        line.reverse();
        line
    }

    fn place(&self, at: usize) -> String {
        pointer(self.line(at).into_iter().map(|at| &*self.nodes[at].name))
    }
}

/// Members with each name once: the last one counts, as in most parsers.
fn last_of_each(members: Members<&RawValue>) -> Vec<(Box<str>, &str)> {
    let last: HashMap<Box<str>, usize> =
        members.iter().enumerate().map(|(at, (name, _))| (name.into(), at)).collect();
    let members = members.into_iter().enumerate();
    members.filter(|(at, (name, _))| last[name] == *at).map(|(_, (name, raw))| (name, raw.get())).collect()
}

fn member<'a>(members: &[(Box<str>, &'a str)], name: &str) -> Option<&'a str> {
    members.iter().find(|(key, _)| &**key == name).map(|(_, text)| *text)
}

fn parameter_type(text: &str) -> Option<ParameterType> {
    match serde_json::from_str::<String>(text).ok()?.as_str() {
        "string" => Some(ParameterType::String),
        "integer" => Some(ParameterType::Integer),
        "boolean" => Some(ParameterType::Boolean),
        _ => None,
    }
}

/// Whether a text is a token (RFC 9110, section 5.6.2).
fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// A JSON pointer (RFC 6901).
fn pointer<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1"))).collect()
}
