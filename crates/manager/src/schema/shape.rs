//! What kinds of values a schema allows, for a person's `k=v`.

use std::collections::BTreeSet;

use serde_json::Value;

/// The most references and branches that are followed from one place.
const DEPTH: usize = 16;

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
        shape.add(root, schema, DEPTH);
        shape
    }

    fn add(&mut self, root: &'s Value, schema: &'s Value, depth: usize) {
        match schema.get("type") {
            Some(Value::String(kind)) => drop(self.types.insert(kind)),
            Some(Value::Array(kinds)) => self.types.extend(kinds.iter().filter_map(Value::as_str)),
            _ => {}
        }
        self.values.extend(schema.get("enum").and_then(Value::as_array).into_iter().flatten());
        self.values.extend(schema.get("const"));
        self.items = self.items.or_else(|| schema.get("items"));
        for inner in branches(root, schema).filter(|_| depth > 0) {
            self.add(root, inner, depth - 1);
        }
    }
}

/// The schema of an object's member, if one is known.
pub(super) fn member<'s>(root: &'s Value, schema: &'s Value, name: &str) -> Option<&'s Value> {
    named(root, schema, name, DEPTH)
        .or_else(|| schema.get("additionalProperties").filter(|other| other.is_object()))
}

fn named<'s>(root: &'s Value, schema: &'s Value, name: &str, depth: usize) -> Option<&'s Value> {
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    own.or_else(|| {
        let mut inner = branches(root, schema).filter(|_| depth > 0);
        inner.find_map(|inner| named(root, inner, name, depth - 1))
    })
}

/// The schemas that a value of this schema may or must match too.
fn branches<'s>(root: &'s Value, schema: &'s Value) -> impl Iterator<Item = &'s Value> {
    let groups = ["allOf", "anyOf", "oneOf"].into_iter();
    let listed = groups.flat_map(|key| schema.get(key).and_then(Value::as_array).into_iter().flatten());
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    reference.and_then(|pointer| root.pointer(pointer)).into_iter().chain(listed)
}
