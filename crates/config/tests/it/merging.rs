//! One name in several files.

use std::ffi::OsString;
use std::path::Path;

use codewhale_mcp_config::edit::{Definition, Draft};
use codewhale_mcp_config::{McpFile, Merged, MergedServer, Scope, Source, Warning};

fn file(label: &str, scope: Scope, servers: &str) -> McpFile {
    McpFile::parse(&format!("{{\"servers\": {{{servers}}}}}"), &Source::label(label, scope)).unwrap()
}

fn order(merged: &Merged) -> Vec<String> {
    let shown = |server: &MergedServer| {
        let losers: Vec<_> = server.overridden.iter().map(|entry| entry.place.origin.to_string()).collect();
        format!("{} {} > {}", server.entry.name, server.entry.place.origin, losers.join(" "))
    };
    merged.servers.iter().map(shown).collect()
}

#[test]
fn flag_then_project_then_user_then_plugin() {
    let a = "\"a\": {\"command\": \"x\"}";
    let merged = Merged::new(vec![
        file("plugin", Scope::Plugin, a),
        file("user", Scope::User, &format!("\"u\": {{\"command\": \"x\"}}, {a}")),
        file("flag1", Scope::Flag, a),
        file("project", Scope::Project, &format!("{a}, \"p\": {{\"command\": \"x\"}}")),
        file("flag2", Scope::Flag, a),
    ]);
    assert_eq!(order(&merged), ["a flag2 > flag1 project user plugin", "p project > ", "u user > "]);
    let [Warning::LaterWins { name, place, loser }] = &merged.warnings[..] else {
        panic!("{:?}", merged.warnings)
    };
    assert_eq!(
        (name.as_str(), place.origin.to_string(), loser.origin.to_string()),
        ("a", "flag2".into(), "flag1".into())
    );
    assert_eq!(merged.server("a").unwrap().scope, Scope::Flag);
}

#[test]
fn a_refused_entry_keeps_its_name_taken() {
    let merged = Merged::new(vec![
        file("user", Scope::User, "\"a\": {\"command\": \"x\"}"),
        file("project", Scope::Project, "\"a\": {\"command\": 7}"),
    ]);
    assert_eq!(order(&merged), ["a project > user"]);
    assert!(merged.servers[0].resolve(&|_: &str| None, Path::new("/")).is_err());
}

#[test]
fn x09_reading_and_merging_expand_nothing() {
    let json = "\"a\": {\"command\": \"${EVIL}\", \"cwd\": \"$(touch PWNED)\"}";
    let project = file("project", Scope::Project, json);
    let merged = Merged::new(vec![project]);
    let command = merged.servers[0].entry.definition.as_ref().unwrap().command.clone();
    assert_eq!(command.unwrap().value, "${EVIL}");
    // Only an explicit resolve looks at the environment.
    let asked = std::cell::Cell::new(0);
    let environment = |_: &str| {
        asked.set(asked.get() + 1);
        Some(OsString::from("x"))
    };
    assert_eq!(asked.get(), 0);
    merged.servers[0].resolve(&environment, Path::new("/")).unwrap();
    assert_eq!(asked.get(), 1);
}

#[test]
fn x10_a_consent_is_bound_to_everything_but_layout_and_the_switch() {
    let hash = |json: &str| file("p", Scope::Project, &format!("\"a\": {json}")).entries[0].hash.clone();
    let base = hash(r#"{"command": "x", "args": ["a", "b"], "env": {"A": "1"}}"#);
    for same in [
        r#"{ "env":{"A":"1"}, /* c */ "args":["a","b",], "command":"\u0078" }"#,
        r#"{"command": "x", "args": ["a", "b"], "env": {"A": "1"}, "disabled": true, "enabled": false}"#,
    ] {
        assert_eq!(hash(same), base, "{same}");
    }
    for other in [
        r#"{"command": "y", "args": ["a", "b"], "env": {"A": "1"}}"#,
        r#"{"command": "x", "args": ["b", "a"], "env": {"A": "1"}}"#,
        r#"{"command": "x", "args": ["a b"], "env": {"A": "1"}}"#,
        r#"{"command": "x", "args": ["a", "b"], "env": {"A": "2"}}"#,
        r#"{"command": "x", "args": ["a", "b"], "env": {"A": "1"}, "cwd": "/"}"#,
        r#"{"command": "x", "args": ["a", "b"], "env": {"A": "1"}, "autoApprove": true}"#,
        r#"{"command": "x", "args": ["a", "b"]}"#,
    ] {
        assert_ne!(hash(other), base, "{other}");
    }
    assert_eq!(base.as_str().len(), 64);
}

#[test]
fn a_server_without_a_file_resolves_alone() {
    let draft =
        Draft { url: Some("http://localhost:1/mcp".into()), connect_timeout: Some(2.5), ..Draft::default() };
    let entry = Definition::from(&draft).check("adhoc", Scope::Flag).unwrap();
    let server = MergedServer::alone(entry).resolve(&|_: &str| None, Path::new("/")).unwrap();
    assert_eq!((server.scope, server.transport.as_str()), (Scope::Flag, "http"));
    assert_eq!(server.timeouts.connect.value.as_millis(), 2500);
}
