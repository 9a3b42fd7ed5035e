//! What kinds of values a schema allows, for a person's `k=v`.

use std::collections::{BTreeSet, HashSet};
use std::ptr;

use serde_json::Value;

/// What a schema allows, as far as that can be told from `type`, `enum`, `const`, the branches of `anyOf`, `oneOf` and
/// `allOf`, and references within the document.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shape<'s> {
    /// The types named, such as `integer`; empty if nothing is known.
    pub(super) types: BTreeSet<&'s str>,
    /// Values that are listed, in `enum` or `const`.
    pub(super) values: Vec<&'s Value>,
    /// The schemas of an array's items.
    pub(super) items: Option<&'s Value>,
}

impl<'s> Shape<'s> {
    /// Of a schema that stands in `root`.
    pub(super) fn of(root: &'s Value, schema: &'s Value) -> Self {
        let mut shape = Self::default();
        for schema in with_branches(root, schema) {
            shape.add(schema);
        }
        shape
    }

    fn add(&mut self, schema: &'s Value) {
        match schema.get("type") {
            Some(Value::String(kind)) => drop(self.types.insert(kind)),
            Some(Value::Array(kinds)) => self.types.extend(kinds.iter().filter_map(Value::as_str)),
            _ => {}
        }
        self.values.extend(schema.get("enum").and_then(Value::as_array).into_iter().flatten());
        self.values.extend(schema.get("const"));
        self.items = self.items.or_else(|| schema.get("items"));
    }
}

/// The schema of an object's member, if one is known.
pub(super) fn member<'s>(root: &'s Value, schema: &'s Value, name: &str) -> Option<&'s Value> {
    let named = |schema: &&'s Value| schema.get("properties").and_then(|properties| properties.get(name));
    with_branches(root, schema)
        .iter()
        .find_map(named)
        .or_else(|| schema.get("additionalProperties").filter(|other| other.is_object()))
}

/// A schema and those that a value of it may or must match too, nearest first. Each stands here once, so that
/// branches which lead back to each other are no more work than any other.
pub(super) fn with_branches<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut found = vec![schema];
    let mut seen = HashSet::from([ptr::from_ref(schema)]);
    let mut at = 0;
    while let Some(schema) = found.get(at) {
        found.extend(branches(root, schema).filter(|branch| seen.insert(ptr::from_ref(*branch))));
        at += 1;
    }
    found
}

fn branches<'s>(root: &'s Value, schema: &'s Value) -> impl Iterator<Item = &'s Value> {
    let groups = ["allOf", "anyOf", "oneOf"].into_iter();
    let listed = groups.flat_map(|key| schema.get(key).and_then(Value::as_array).into_iter().flatten());
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    reference.and_then(|pointer| root.pointer(pointer)).into_iter().chain(listed)
}
