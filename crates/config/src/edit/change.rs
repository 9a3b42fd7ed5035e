//! The three changes: add, remove, switch on and off.

use std::ops::Range;

use super::layout::Layout;
use super::splice::{Splice, apply};
use super::{Definition, EditError, members, verify};
use crate::file::CONTAINERS;
use crate::json::{Data, Document, Member, Node};
use crate::{Source, valid_new_name};

/// What to do about a server of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExisting {
    /// Refuse to add another.
    Refuse,
    /// Put the new definition in its place, at the same position.
    Replace,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// `enabled && !disabled`
    On,
    /// The opposite.
    Off,
}

/// Adds a server behind the others: into the object that is there, `servers` if both are, a new `servers` if none is.
pub fn add(
    text: &str,
    source: &Source,
    name: &str,
    definition: &Definition,
    on_existing: OnExisting,
) -> Result<String, EditError> {
    let document = Document::parse(text, source)?;
    let root = Root::of(&document, name)?;
    if root.found.is_none() && !valid_new_name(name) {
        return Err(EditError::BadName { name: name.to_owned() });
    }
    definition.check(name, source.scope)?;
    let layout = Layout::of(&document);
    let value = definition.node();
    let mut wanted = document.root.clone();
    if let Some((container, index)) = root.found {
        let object = &root.members[container].value;
        if on_existing == OnExisting::Refuse {
            let place = document.place(entries(object)[index].key_span.start);
            return Err(EditError::Exists { name: name.to_owned(), place });
        }
        let replaced = entries(object)[index].value.span.clone();
        entry_mut(&mut wanted, container, index).value = value.clone();
        let splices = members::replace(&layout, object, index, value);
        return root.finish(text, name, splices, &wanted, &[replaced]);
    }
    let new = Member { key: name.to_owned(), key_span: 0..0, value: value.clone() };
    let splices = match root.container_for_new() {
        Some(container) => {
            object_mut(&mut object_mut(&mut wanted)[container].value).push(new);
            members::insert(&layout, &root.members[container].value, name, value)
        }
        None => {
            let container = Node::object([(name, value.clone())]);
            let key = CONTAINERS[0].to_owned();
            object_mut(&mut wanted).push(Member { key, key_span: 0..0, value: container.clone() });
            members::insert(&layout, &document.root, CONTAINERS[0], &container)
        }
    };
    root.finish(text, name, splices, &wanted, &[])
}

/// Removes a server. Comments around it stay.
pub fn remove(text: &str, source: &Source, name: &str) -> Result<String, EditError> {
    let document = Document::parse(text, source)?;
    let root = Root::of(&document, name)?;
    let (container, index) = root.existing(name)?;
    let object = &root.members[container].value;
    let gone = &entries(object)[index];
    let mut wanted = document.root.clone();
    object_mut(&mut object_mut(&mut wanted)[container].value).remove(index);
    let splices = members::remove(&Layout::of(&document), object, index);
    let replaced = gone.key_span.start..gone.value.span.end;
    root.finish(text, name, splices, &wanted, &[replaced])
}

/// Turns a server on or off by `enabled` and `disabled`, whichever are there; if neither is, off adds `disabled`. The
/// text stays as it is if the server already is what it should be.
pub fn switch(text: &str, source: &Source, name: &str, to: Switch) -> Result<String, EditError> {
    let document = Document::parse(text, source)?;
    let root = Root::of(&document, name)?;
    let (container, index) = root.existing(name)?;
    let entry = &entries(&root.members[container].value)[index];
    let Some(own) = entry.value.members() else {
        let place = document.place(entry.value.span.start);
        return Err(EditError::NotAnObject { name: name.to_owned(), place });
    };
    let mut wanted = document.root.clone();
    let wanted_entry = object_mut(&mut entry_mut(&mut wanted, container, index).value);
    let (mut splices, mut replaced) = (Vec::new(), Vec::new());
    let mut is_mentioned = false;
    for (at, member) in own.iter().enumerate() {
        let value = match member.key.as_str() {
            "enabled" => to == Switch::On,
            "disabled" => to == Switch::Off,
            _ => continue,
        };
        is_mentioned = true;
        let node = Node::new(Data::Bool(value));
        if !member.value.same(&node) {
            splices.push(Splice { range: member.value.span.clone(), text: value.to_string() });
            replaced.push(member.value.span.clone());
            wanted_entry[at].value = node;
        }
    }
    if !is_mentioned && to == Switch::Off {
        let node = Node::new(Data::Bool(true));
        splices = members::insert(&Layout::of(&document), &entry.value, "disabled", &node);
        wanted_entry.push(Member { key: "disabled".to_owned(), key_span: 0..0, value: node });
    }
    root.finish(text, name, splices, &wanted, &replaced)
}

/// The root object, and where a name stands in it.
struct Root<'d> {
    document: &'d Document<'d>,
    members: &'d [Member],
    /// Container and entry.
    found: Option<(usize, usize)>,
}

impl<'d> Root<'d> {
    /// Looks for a name; one that stands more than once refuses every change.
    fn of(document: &'d Document<'d>, name: &str) -> Result<Self, EditError> {
        // The rules for the shape of the whole are those of reading.
        crate::McpFile::parse(document.text, document.source())?;
        let members = document.root.members().unwrap_or_default();
        let mut found = Vec::new();
        for (container, member) in members.iter().enumerate().filter(|(_, member)| is_container(member)) {
            let named = entries(&member.value).iter().enumerate().filter(|(_, entry)| entry.key == name);
            found.extend(named.map(|(index, _)| (container, index)));
        }
        if found.len() > 1 {
            let place = |(container, index): &(usize, usize)| {
                document.place(entries(&members[*container].value)[*index].key_span.start)
            };
            let places = found.iter().map(place).collect();
            return Err(EditError::Ambiguous { name: name.to_owned(), places });
        }
        Ok(Self { document, members, found: found.first().copied() })
    }

    fn existing(&self, name: &str) -> Result<(usize, usize), EditError> {
        self.found.ok_or_else(|| EditError::Unknown {
            name: name.to_owned(),
            known: self
                .members
                .iter()
                .filter(|member| is_container(member))
                .flat_map(|member| entries(&member.value).iter().map(|entry| entry.key.clone()))
                .collect(),
        })
    }

    fn container_for_new(&self) -> Option<usize> {
        CONTAINERS.iter().find_map(|key| self.members.iter().position(|member| member.key == *key))
    }

    fn finish(
        &self,
        text: &str,
        name: &str,
        splices: Vec<Splice>,
        wanted: &Node,
        replaced: &[Range<usize>],
    ) -> Result<String, EditError> {
        let mark = &text[..text.len() - self.document.text.len()];
        let changed = format!("{mark}{}", apply(self.document.text, splices));
        match verify::is_exactly(&changed, self.document.source(), wanted, self.document, replaced) {
            true => Ok(changed),
            false => Err(EditError::WouldTouchOthers { name: name.to_owned() }),
        }
    }
}

fn is_container(member: &Member) -> bool {
    CONTAINERS.contains(&member.key.as_str())
}

fn entries(container: &Node) -> &[Member] {
    container.members().unwrap_or_default()
}

fn object_mut(node: &mut Node) -> &mut Vec<Member> {
    match &mut node.data {
        Data::Object(members) => members,
        _ => unreachable!("the root, its containers and a switched entry were seen to be objects"),
    }
}

fn entry_mut(root: &mut Node, container: usize, index: usize) -> &mut Member {
    &mut object_mut(&mut object_mut(root)[container].value)[index]
}
