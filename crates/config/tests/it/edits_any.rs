//! Edits of any document.

use codewhale_mcp_config::edit::{Definition, Draft, OnExisting, Switch, add, remove, switch};
use codewhale_mcp_config::{McpFile, Scope, Source};
use proptest::prelude::*;

/// Blanks and comments between two tokens.
fn gap() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            6 => Just(""),
            4 => Just(" "),
            3 => Just("\n"),
            2 => Just("\n    "),
            1 => Just("\t"),
            1 => Just("\n\n"),
            1 => Just("/* c, \"new\": { */"),
            1 => Just("// it's a, } comment\n"),
        ],
        0..3,
    )
    .prop_map(|parts| parts.concat())
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{}".to_owned()),
        Just("{\"command\": \"a // b\", \"args\": [\"/*\", \"}\",]}".to_owned()),
        Just("{\n  \"url\": \"https://h.test/x\", // why\n  \"enabled\": false\n}".to_owned()),
        Just("{\"disabled\":true,\"command\":\"\\\"é鲸\\u00e9\"}".to_owned()),
        Just("7.50".to_owned()),
    ]
}

/// An object with the given keys, in any layout, with or without a trailing comma.
fn object(keys: &'static [&'static str], value: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    (prop::collection::vec((gap(), gap(), gap(), value, gap()), 0..=keys.len()), any::<bool>(), gap())
        .prop_map(move |(members, trailing, end)| {
            let count = members.len();
            let mut text = String::from("{");
            for (at, (before, name, colon, value, after)) in members.into_iter().enumerate() {
                text.push_str(&format!("{before}\"{}\"{name}:{colon}{value}{after}", keys[at]));
                if at + 1 < count || trailing {
                    text.push(',');
                }
            }
            text + &end + "}"
        })
}

fn document() -> impl Strategy<Value = String> {
    let servers = object(&["a", "b.c", "D"], value().boxed());
    let root = (
        servers,
        object(&["x", "timeouts_", "y"], value().boxed()),
        gap(),
        gap(),
        gap(),
        0..3_u8,
        any::<bool>(),
    );
    (root, any::<bool>(), any::<bool>()).prop_map(
        |((servers, other, before, after, end, place, which), bom, crlf)| {
            let key = if which { "servers" } else { "mcpServers" };
            let container = format!("\"{key}\":{before}{servers}");
            let text = match place {
                0 => format!("{{{before}{container}{after}}}{end}"),
                1 => format!("{end}{{{container},{before}\"other\":{other}{after}}}"),
                _ => format!("{end}{{{before}\"other\": {other},{after}{container}{before}}}{after}"),
            };
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            if bom { format!("\u{feff}{text}") } else { text }
        },
    )
}

fn names(text: &str) -> Vec<String> {
    let file = McpFile::parse(text, &source()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    file.entries.into_iter().map(|entry| entry.name).collect()
}

fn source() -> Source {
    Source::label("m", Scope::User)
}

fn definition() -> Definition {
    let draft =
        Draft { command: Some("x y".into()), args: vec!["//".into(), "}".into()], ..Draft::default() };
    Definition::from(&draft)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_and_removing_gives_the_text_from_before(text in document()) {
        let before = names(&text);
        let added = add(&text, &source(), "new", &definition(), OnExisting::Refuse).unwrap();
        let mut expected = before.clone();
        expected.push("new".to_owned());
        prop_assert_eq!(names(&added), expected);
        let removed = remove(&added, &source(), "new").unwrap();
        prop_assert_eq!(removed, text, "after {}", added);
    }

    #[test]
    fn every_entry_can_be_removed_replaced_and_switched(text in document()) {
        let all = names(&text);
        for name in &all {
            let removed = remove(&text, &source(), name).unwrap();
            let others: Vec<_> = all.iter().filter(|other| *other != name).cloned().collect();
            prop_assert_eq!(names(&removed), others);
            let replaced = add(&text, &source(), name, &definition(), OnExisting::Replace).unwrap();
            prop_assert_eq!(names(&replaced), all.clone());
            for to in [Switch::On, Switch::Off] {
                let Ok(switched) = switch(&text, &source(), name, to) else { continue };
                let file = McpFile::parse(&switched, &source()).unwrap();
                if let Ok(entry) = &file.entry(name).unwrap().definition {
                    prop_assert_eq!(entry.is_on(), to == Switch::On);
                }
            }
        }
    }

    #[test]
    fn no_text_makes_reading_or_editing_panic(text in "[ {}\\[\\]\":,/*a\\\\\n\r\u{feff}é0-9\u{1}\\-.e]{0,60}") {
        if McpFile::parse(&text, &source()).is_ok() {
            let _ = add(&text, &source(), "new", &definition(), OnExisting::Replace);
            let _ = remove(&text, &source(), "new");
        }
    }
}
