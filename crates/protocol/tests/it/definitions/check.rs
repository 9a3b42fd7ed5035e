//! Makes instances of every definition, reads and prints them, and lets the schema judge the outcome.

use std::collections::BTreeSet;

use codewhale_mcp_protocol::Revision;
use serde_json::{Map, Value};

use super::instances::instances;
use super::rows::{ROWS, Row, row};
use crate::schemas::{Schema, same};

fn check(revision: Revision) -> usize {
    let schema = Schema::of(revision);
    let definitions = schema.definitions();
    let mut count = 0;
    for (name, definition) in definitions {
        match row(name) {
            None => panic!("{revision}: no row for {name}"),
            Some(Row::Held(round)) => {
                let faults = schema.faults(name);
                for instance in instances(definitions, name) {
                    assert_eq!(faults(&instance), [""; 0], "{revision} {name}: a bad instance {instance}");
                    let printed = round(&instance.to_string())
                        .unwrap_or_else(|error| panic!("{revision} {name}: {error}: {instance}"));
                    let printed: Value = serde_json::from_str(&printed).unwrap();
                    assert!(same(&instance, &printed), "{revision} {name}:\n{instance}\n{printed}");
                    assert_eq!(faults(&printed), [""; 0], "{revision} {name}: {printed}");
                    count += 1;
                }
            }
            Some(Row::Union) => {
                for other in references(definition) {
                    assert!(row(&other).is_some(), "{revision}: {name} names {other}, which has no row");
                }
            }
            Some(Row::PartOf(others)) => {
                for other in others.iter().filter_map(|other| definitions.get(*other)) {
                    is_part(name, definition, other);
                }
                assert!(others.iter().any(|other| definitions.contains_key(*other)), "{revision} {name}");
            }
        }
    }
    count
}

/// The names in a definition that is nothing but names.
fn references(definition: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![definition];
    while let Some(schema) = open.pop() {
        if let Some(reference) = schema.get("$ref") {
            found.insert(Schema::name_in(reference).to_owned());
            continue;
        }
        let members: &Map<String, Value> = schema.as_object().unwrap();
        assert!(!members.contains_key("properties"), "{definition} has members of its own");
        open.extend(members.get("items"));
        open.extend(members.get("anyOf").and_then(Value::as_array).into_iter().flatten());
    }
    assert!(!found.is_empty());
    found
}

fn is_part(name: &str, definition: &Value, whole: &Value) {
    for property in definition["properties"].as_object().unwrap().keys() {
        assert!(whole["properties"].get(property).is_some(), "{name}.{property} is not in {whole}");
    }
}

#[test]
fn definitions_of_2024_11_05() {
    assert!(check(Revision::V2024_11_05) > 150);
}

#[test]
fn definitions_of_2025_03_26() {
    assert!(check(Revision::V2025_03_26) > 150);
}

#[test]
fn definitions_of_2025_06_18() {
    assert!(check(Revision::V2025_06_18) > 200);
}

#[test]
fn definitions_of_2025_11_25() {
    assert!(check(Revision::V2025_11_25) > 300);
}

#[test]
fn definitions_of_2026_07_28() {
    assert!(check(Revision::V2026_07_28) > 300);
}

#[test]
fn every_row_is_of_some_revision_and_stands_there_once() {
    let schemas = Revision::ALL.map(Schema::of);
    let mut names = BTreeSet::new();
    for (name, _) in ROWS.iter().copied().flatten() {
        assert!(names.insert(name), "{name} twice");
        assert!(schemas.iter().any(|schema| schema.definitions().contains_key(*name)), "{name}");
    }
}
