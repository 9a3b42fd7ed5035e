//! An edit of a configuration changes one entry, and can be taken back byte by byte.
//!
//! The input is a document; behind a line `---` may follow a pasted definition, and behind another a name.
//! After a zero byte, bytes choose one.

#![no_main]

mod document;

use codewhale_mcp_config::edit::{
    Definition, Draft, EditError, OnExisting, Switch, add, parse_snippet, remove, switch,
};
use codewhale_mcp_config::{DefinitionHash, McpFile, ParseError, Scope, Source, valid_new_name};
use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

/// How many of a document's entries are changed in turn.
const TRIED: usize = 4;

fuzz_target!(|input: &[u8]| match input.split_first() {
    Some((0, choices)) =>
        check(&document::input(&mut Unstructured::new(choices)).expect("choices never run out")),
    _ => check(&String::from_utf8_lossy(input)),
});

fn check(input: &str) {
    let mut parts = input.splitn(3, "\n---\n");
    let text = parts.next().unwrap_or_default();
    let pasted = parts.next().unwrap_or_default();
    let name = parts.next().unwrap_or("new");
    let definition = parse_snippet(pasted, name).map_or_else(|_| small(), |snippet| snippet.definition);
    match McpFile::parse(text, &source()) {
        Err(error) => check_refused(text, name, &definition, &error),
        Ok(file) => {
            check_new(text, &file, name, &definition);
            for entry in file.entries.iter().take(TRIED) {
                check_existing(text, &file, &entry.name, &definition);
            }
        }
    }
}

fn source() -> Source {
    Source::label("fuzz", Scope::User)
}

fn small() -> Definition {
    Definition::from(&Draft { command: Some("x".into()), args: vec!["//".into()], ..Draft::default() })
}

/// What makes no sense is never written over.
fn check_refused(text: &str, name: &str, definition: &Definition, error: &ParseError) {
    let refused = Err(EditError::Unusable(error.clone()));
    assert_eq!(add(text, &source(), name, definition, OnExisting::Refuse), refused);
    assert_eq!(add(text, &source(), name, definition, OnExisting::Replace), refused);
    assert_eq!(remove(text, &source(), name), refused);
    assert_eq!(switch(text, &source(), name, Switch::Off), refused);
}

/// A new entry is added where it may be, and taken out again without a trace.
fn check_new(text: &str, file: &McpFile, name: &str, definition: &Definition) {
    let added = match add(text, &source(), name, definition, OnExisting::Refuse) {
        Ok(added) => added,
        Err(EditError::Exists { .. } | EditError::Ambiguous { .. }) => {
            return assert!(file.entry(name).is_some(), "{name:?} was there");
        }
        Err(EditError::BadName { .. }) => return assert!(!valid_new_name(name), "{name:?} is a name"),
        Err(error) => {
            let refused = definition.check(name, Scope::User).expect_err("only a bad definition is refused");
            return assert_eq!(error, refused);
        }
    };
    assert!(valid_new_name(name) && file.entry(name).is_none());
    let wanted = definition.check(name, Scope::User).expect("it was not refused").hash;
    assert_eq!(others(&added, name), others(text, name));
    assert_eq!(hash(&added, name), Some(wanted));
    let removed = remove(&added, &source(), name).expect("it was added");
    if has_container(text) {
        assert_eq!(removed, text, "after {added}");
    } else {
        assert_eq!(entries(&removed), []);
    }
}

/// An entry is replaced, switched and removed without the others.
fn check_existing(text: &str, file: &McpFile, name: &str, definition: &Definition) {
    let replaced = add(text, &source(), name, definition, OnExisting::Replace);
    if let Err(EditError::Ambiguous { places, .. }) = &replaced {
        assert!(places.len() > 1);
        let entry = file.entry(name).expect("it is there");
        assert!(entry.definition.is_err(), "an entry that stands twice is refused");
        return;
    }
    match (replaced, definition.check(name, Scope::User)) {
        (Ok(replaced), Ok(wanted)) => {
            assert_eq!(others(&replaced, name), others(text, name));
            assert_eq!(names(&replaced), names(text), "the position stays");
            assert_eq!(hash(&replaced, name), Some(wanted.hash));
        }
        (Err(error), Err(refused)) => assert_eq!(error, refused),
        (replaced, checked) => panic!("{replaced:?} of {checked:?}"),
    }
    check_switch(text, name);
    let removed = remove(text, &source(), name).expect("it is there once");
    assert_eq!(entries(&removed), others(text, name));
}

fn check_switch(text: &str, name: &str) {
    for to in [Switch::On, Switch::Off] {
        let switched = match switch(text, &source(), name, to) {
            Ok(switched) => switched,
            Err(EditError::NotAnObject { .. }) => return,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(others(&switched, name), others(text, name));
        assert_eq!(switch(&switched, &source(), name, to).as_ref(), Ok(&switched), "nothing is left to do");
        let file = parsed(&switched);
        if let Ok(entry) = &file.entry(name).expect("it is there").definition {
            assert_eq!(entry.is_on(), to == Switch::On);
        }
    }
}

fn parsed(text: &str) -> McpFile {
    McpFile::parse(text, &source()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A fingerprint of every value, by name.
fn entries(text: &str) -> Vec<(String, DefinitionHash)> {
    parsed(text).entries.into_iter().map(|entry| (entry.name, entry.hash)).collect()
}

fn others(text: &str, name: &str) -> Vec<(String, DefinitionHash)> {
    entries(text).into_iter().filter(|(other, _)| other != name).collect()
}

fn names(text: &str) -> Vec<String> {
    entries(text).into_iter().map(|(name, _)| name).collect()
}

fn hash(text: &str, name: &str) -> Option<DefinitionHash> {
    parsed(text).entry(name).map(|entry| entry.hash.clone())
}

/// Whether there is an object that holds servers, seen by the parser alone.
fn has_container(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let Ok(Some(Value::Object(root))) = parsed.map(|parsed| parsed.value) else { return false };
    root.properties.iter().any(|member| matches!(member.name.as_str(), "servers" | "mcpServers"))
}
