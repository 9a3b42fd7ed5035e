//! An edit changes one entry and leaves every other byte.

use codewhale_mcp_config::edit::{
    Definition, Draft, DraftTransport, EditError, OnExisting, STARTER, Switch, add, parse_snippet, remove,
    switch,
};
use codewhale_mcp_config::{McpFile, Scope, Source};
use codewhale_mcp_redact::Secret;

fn source() -> Source {
    Source::label("m", Scope::User)
}

fn small() -> Definition {
    Definition::from(&Draft {
        command: Some("x".into()),
        args: vec!["-y".into(), "z".into()],
        ..Draft::default()
    })
}

fn added(text: &str) -> String {
    add(text, &source(), "new", &small(), OnExisting::Refuse)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Adding gives `expected`, and removing gives the text from before.
fn check(text: &str, expected: &str) {
    let added = added(text);
    assert_eq!(added, expected);
    assert_eq!(remove(&added, &source(), "new").unwrap(), text, "after {added}");
}

#[test]
fn c05_a_new_entry_comes_last_and_the_rest_stays() {
    check(
        "{\n  \"theme\": \"dark\", // mine\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"y\",\n      \"my_key\": [1, 2.50]\n    } // about a\n  },\n  \"z\": null\n}\n",
        "{\n  \"theme\": \"dark\", // mine\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"y\",\n      \"my_key\": [1, 2.50]\n    }, // about a\n    \"new\": {\n      \"command\": \"x\",\n      \"args\": [\"-y\", \"z\"]\n    }\n  },\n  \"z\": null\n}\n",
    );
}

#[test]
fn layouts_are_followed() {
    let new = "\"new\": {\"command\": \"x\", \"args\": [\"-y\", \"z\"]}";
    let compact = "\"new\":{\"command\":\"x\",\"args\":[\"-y\",\"z\"]}";
    let broken = |indent: &str, unit: &str| {
        format!(
            "\"new\": {{\n{indent}{unit}\"command\": \"x\",\n{indent}{unit}\"args\": [\"-y\", \"z\"]\n{indent}}}"
        )
    };
    check(r#"{"servers":{}}"#, &format!("{{\"servers\":{{{compact}}}}}"));
    check(r#"{"servers": {}}"#, &format!("{{\"servers\": {{{new}}}}}"));
    check(r#"{ "servers": { } }"#, &format!("{{ \"servers\": {{ {new} }} }}"));
    check(
        r#"{"servers":{"a":{"command":"y"}}}"#,
        &format!(r#"{{"servers":{{"a":{{"command":"y"}},{compact}}}}}"#),
    );
    check(r#"{ "servers": { "a": 1, } }"#, &format!(r#"{{ "servers": {{ "a": 1, {new}, }} }}"#));
    check("{ \"servers\": { /* none */ } }", &format!("{{ \"servers\": {{ /* none */ {new} }} }}"));
    check(
        "{\n  \"servers\": {}\n}\n",
        &format!("{{\n  \"servers\": {{\n    {}\n  }}\n}}\n", broken("    ", "  ")),
    );
    // An empty object that was open keeps its line break.
    check(
        "{\n\t\"servers\": {\n\t}\n}",
        &format!("{{\n\t\"servers\": {{\n\n\t\t{}\n\t}}\n}}", broken("\t\t", "\t")),
    );
    check(
        "{\n\t\"servers\": {\n\t\t// none yet\n\t}\n}",
        &format!("{{\n\t\"servers\": {{\n\t\t// none yet\n\t\t{}\n\t}}\n}}", broken("\t\t", "\t")),
    );
    check(
        "{\"servers\": {\n    \"a\": {\n        \"command\": \"y\"\n    }, // a\n    // end\n}}",
        &format!(
            "{{\"servers\": {{\n    \"a\": {{\n        \"command\": \"y\"\n    }}, // a\n    // end\n    {},\n}}}}",
            broken("    ", "  ")
        ),
    );
    // Beside an entry on one line stands an entry on one line.
    check(
        "{\n  \"servers\": {\n    \"a\": {\"command\": \"y\"}\n  }\n}",
        &format!("{{\n  \"servers\": {{\n    \"a\": {{\"command\": \"y\"}},\n    {new}\n  }}\n}}"),
    );
    check(
        "{ \"servers\": { \"a\": 1 // a\n} }",
        &format!("{{ \"servers\": {{ \"a\": 1, // a\n  {}\n}} }}", broken("  ", "  ")),
    );
    check(
        "\u{feff}{\r\n  \"servers\": {}\r\n}\r\n",
        &format!(
            "\u{feff}{{\r\n  \"servers\": {{\r\n    {}\r\n  }}\r\n}}\r\n",
            broken("    ", "  ").replace('\n', "\r\n")
        ),
    );
    check(
        STARTER,
        &STARTER.replace("    // }\n  }\n", &format!("    // }}\n    {}\n  }}\n", broken("    ", "  "))),
    );
}

#[test]
fn the_container_that_is_there_is_used() {
    let both = r#"{"mcpServers": {"a": {"command": "y"}}, "servers": {}}"#;
    assert!(added(both).contains(r#""servers": {"new": "#));
    assert!(added("{\"mcpServers\": {}}").contains(r#""mcpServers": {"new": "#));
    assert!(added("{}").starts_with("{\"servers\": {\"new\": {"));
    assert_eq!(
        added("{\n  \"x\": 1\n}\n"),
        "{\n  \"x\": 1,\n  \"servers\": {\n    \"new\": {\n      \"command\": \"x\",\n      \"args\": [\"-y\", \"z\"]\n    }\n  }\n}\n"
    );
    let replaced = add(both, &source(), "a", &small(), OnExisting::Replace).unwrap();
    assert_eq!(replaced, r#"{"mcpServers": {"a": {"command": "x", "args": ["-y", "z"]}}, "servers": {}}"#);
    assert!(matches!(add(both, &source(), "a", &small(), OnExisting::Refuse), Err(EditError::Exists { .. })));
}

#[test]
fn replacing_keeps_the_position_and_the_layout() {
    let text = "{\n  \"servers\": {\n    // first\n    \"a\": {\n      \"url\": \"http://h\" // old\n    }, // behind\n    \"b\": 1\n  }\n}";
    let replaced = add(text, &source(), "a", &small(), OnExisting::Replace).unwrap();
    let expected = "{\n  \"servers\": {\n    // first\n    \"a\": {\n      \"command\": \"x\",\n      \"args\": [\"-y\", \"z\"]\n    }, // behind\n    \"b\": 1\n  }\n}";
    assert_eq!(replaced, expected);
}

#[test]
fn removing_keeps_comments_and_neighbours() {
    for (text, name, expected) in [
        (r#"{"servers":{"a":1,"b":2,"c":3}}"#, "a", r#"{"servers":{"b":2,"c":3}}"#),
        (r#"{"servers":{"a":1,"b":2,"c":3}}"#, "b", r#"{"servers":{"a":1,"c":3}}"#),
        (r#"{"servers":{"a":1,"b":2,"c":3}}"#, "c", r#"{"servers":{"a":1,"b":2}}"#),
        (r#"{"servers": { "a": 1, "b": 2 }}"#, "a", r#"{"servers": { "b": 2 }}"#),
        (r#"{"servers": { "a": 1 , "b": 2 }}"#, "a", r#"{"servers": { "b": 2 }}"#),
        (r#"{"servers": { "a": 1 }}"#, "a", r#"{"servers": { }}"#),
        ("{\"servers\": {\n  \"a\": 1\n}}", "a", "{\"servers\": {}}"),
        ("{\"servers\": {\n  \"a\": 1,\n}}", "a", "{\"servers\": {}}"),
        (
            "{\"servers\": {\n  // about a\n  \"a\": 1, // a\n  \"b\": 2 // b\n}}",
            "a",
            "{\"servers\": {\n  // about a\n  // a\n  \"b\": 2 // b\n}}",
        ),
        (
            "{\"servers\": {\n  // about a\n  \"a\": 1, // a\n  \"b\": 2 // b\n}}",
            "b",
            "{\"servers\": {\n  // about a\n  \"a\": 1 // a\n   // b\n}}",
        ),
        ("{\"servers\": { // c\n  \"a\": 1, \"b\": 2 }}", "a", "{\"servers\": { // c\n  \"b\": 2 }}"),
        ("{\"servers\": {\"a\": 1, // c\n  \"b\": 2 }}", "b", "{\"servers\": {\"a\": 1 // c\n   }}"),
        ("{\"servers\": {\"a\": 1 /* x */ , \"b\": 2}}", "a", "{\"servers\": { /* x */  \"b\": 2}}"),
        ("{\"servers\": {\"a\": 1 // x\n, \"b\": 2}}", "a", "{\"servers\": { // x\n \"b\": 2}}"),
    ] {
        assert_eq!(remove(text, &source(), name).unwrap(), expected, "{text}");
    }
}

#[test]
fn switching_mends_both_keys_and_nothing_else() {
    for (text, off, on) in [
        (
            "{\"servers\": {\"a\": {\"command\": \"x\"}}}",
            Some("{\"servers\": {\"a\": {\"command\": \"x\", \"disabled\": true}}}"),
            None,
        ),
        (
            "{\"servers\": {\"a\": {\"enabled\": false }}}",
            None,
            Some("{\"servers\": {\"a\": {\"enabled\": true }}}"),
        ),
        (
            "{\"servers\": {\"a\": {\"enabled\": false, /* c */ \"disabled\": true}}}",
            None,
            Some("{\"servers\": {\"a\": {\"enabled\": true, /* c */ \"disabled\": false}}}"),
        ),
        (
            "{\"servers\": {\"a\": {\"enabled\": true, \"disabled\": true}}}",
            Some("{\"servers\": {\"a\": {\"enabled\": false, \"disabled\": true}}}"),
            Some("{\"servers\": {\"a\": {\"enabled\": true, \"disabled\": false}}}"),
        ),
        (
            "{\"servers\": {\"a\": {\"disabled\": \"yes\"}}}",
            Some("{\"servers\": {\"a\": {\"disabled\": true}}}"),
            Some("{\"servers\": {\"a\": {\"disabled\": false}}}"),
        ),
    ] {
        assert_eq!(switch(text, &source(), "a", Switch::Off).unwrap(), off.unwrap_or(text), "{text}");
        assert_eq!(switch(text, &source(), "a", Switch::On).unwrap(), on.unwrap_or(text), "{text}");
    }
    // A comment within a value goes with the value.
    let text = "{\"servers\": {\"a\": {\"enabled\": [/* why */], \"disabled\": {// x\n}} /* kept */}}";
    let on = "{\"servers\": {\"a\": {\"enabled\": true, \"disabled\": false} /* kept */}}";
    assert_eq!(switch(text, &source(), "a", Switch::On).unwrap(), on);
    let error = switch("{\"servers\": {\"a\": 1}}", &source(), "a", Switch::On).unwrap_err();
    assert!(matches!(error, EditError::NotAnObject { .. }));
}

#[test]
fn c04_a_text_that_makes_no_sense_is_never_edited() {
    for text in ["{\"servers\": {} /*", "{\"servers\": {}", "", "[]", "{\"servers\": []}"] {
        let all = [
            add(text, &source(), "new", &small(), OnExisting::Replace),
            remove(text, &source(), "new"),
            switch(text, &source(), "new", Switch::Off),
        ];
        for result in all {
            assert!(matches!(result, Err(EditError::Unusable(_))), "{text}");
        }
    }
}

#[test]
fn a_name_that_stands_twice_refuses_every_edit() {
    let text = "{\"servers\": {\"new\": {}}, \"mcpServers\": {\n\"new\": {}, \"b\": {\"command\": \"x\"}}}";
    for result in [
        add(text, &source(), "new", &small(), OnExisting::Replace),
        remove(text, &source(), "new"),
        switch(text, &source(), "new", Switch::Off),
    ] {
        let error = result.unwrap_err();
        assert_eq!(error.to_string(), "`new` is defined more than once: m:1:14 and m:2:1");
    }
    assert!(switch(text, &source(), "b", Switch::Off).is_ok());
}

#[test]
fn refused_names_and_definitions() {
    for name in ["", "a b", "ü", "a/b", &"a".repeat(65)] {
        assert!(matches!(
            add("{}", &source(), name, &small(), OnExisting::Refuse),
            Err(EditError::BadName { .. })
        ));
    }
    // A name that is there already may be replaced, whatever it looks like.
    assert!(add("{\"servers\": {\"a b\": 1}}", &source(), "a b", &small(), OnExisting::Replace).is_ok());
    let both = Draft { command: Some("x".into()), url: Some("http://h".into()), ..Draft::default() };
    let error = add("{}", &source(), "new", &Definition::from(&both), OnExisting::Refuse).unwrap_err();
    assert!(matches!(error, EditError::BadDefinition { .. }));
    let error = remove("{\"servers\": {\"a\": {}, \"b\": {}}}", &source(), "c").unwrap_err();
    assert_eq!(error, EditError::Unknown { name: "c".into(), known: vec!["a".into(), "b".into()] });
}

#[test]
fn c14_what_a_draft_says_is_what_is_read_back() {
    let draft = Draft {
        command: Some("/opt/My App/bin/srv".into()),
        args: vec!["--x".into(), "a b".into(), "\"\\\u{7}".into()],
        env: vec![("B".into(), Secret::new("2".into())), ("A".into(), Secret::new("1".into()))],
        cwd: Some("/w".into()),
        required: true,
        disabled: true,
        execute_timeout: Some(0.25),
        ..Draft::default()
    };
    let text = add("{}", &source(), "new", &Definition::from(&draft), OnExisting::Refuse).unwrap();
    assert_eq!(
        text,
        r#"{"servers": {"new": {"command": "/opt/My App/bin/srv", "args": ["--x", "a b", "\"\\\u0007"], "env": {"B": "2", "A": "1"}, "cwd": "/w", "execute_timeout": 0.25, "required": true, "disabled": true}}}"#
    );
    let remote = Draft {
        url: Some("http://h".into()),
        transport: Some(DraftTransport::Sse),
        headers: vec![("X".into(), Secret::new("1".into()))],
        env_headers: vec![("Y".into(), "V".into())],
        scopes: vec!["s".into()],
        oauth_client_id: Some("c".into()),
        allow_private_network: true,
        ..Draft::default()
    };
    let text = add("{}", &source(), "new", &Definition::from(&remote), OnExisting::Refuse).unwrap();
    let definition = McpFile::parse(&text, &source()).unwrap().entries[0].definition.clone().unwrap();
    assert_eq!((definition.kind.as_str(), definition.oauth_client_id.unwrap().value.as_str()), ("sse", "c"));
}

#[test]
fn a_pasted_entry_keeps_its_order_and_numbers() {
    let snippet =
        parse_snippet("{\"z\": 1.50, // c\n \"command\": \"x\", \"a\": [{\"b\": null}]}", "new").unwrap();
    let text = add("{\n}", &source(), "new", &snippet.definition, OnExisting::Refuse).unwrap();
    assert_eq!(
        text,
        "{\n\n  \"servers\": {\n    \"new\": {\n      \"z\": 1.50,\n      \"command\": \"x\",\n      \"a\": [\n        {\n          \"b\": null\n        }\n      ]\n    }\n  }\n}"
    );
}
