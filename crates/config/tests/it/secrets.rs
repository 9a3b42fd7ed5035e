//! Secrets do not show, and those that stand in a file are pointed at.

use std::ffi::OsString;
use std::path::Path;

use codewhale_mcp_config::{McpFile, Merged, Scope, Source};

const TEXT: &str = r#"{"servers": {
  "local": {
    "command": "x", "args": ["--token", "hunter2-arg", "--api-key=hunter2-key", "plain", "--token", "${TOKEN}"],
    "env": {"GITHUB_TOKEN": "hunter2-env", "MODE": "production", "OTHER": "${TOKEN}"}
  },
  "remote": {
    "url": "https://me:hunter2-url@h.test/?api_key=hunter2-query",
    "headers": {"Authorization": "Bearer hunter2-header", "X-Key": "${TOKEN}", "Accept": "text/plain"},
    "env_headers": {"X-Other": "OTHER"}
  }
}}"#;

fn environment(name: &str) -> Option<OsString> {
    match name {
        "TOKEN" => Some("hunter2-expanded".into()),
        "OTHER" => Some("hunter2-other".into()),
        _ => None,
    }
}

#[test]
fn x08_literal_secrets_are_pointed_at_with_what_to_write_instead() {
    let file = McpFile::parse(TEXT, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let warnings = |name: &str| -> Vec<String> {
        let definition = file.entry(name).unwrap().definition.as_ref().unwrap();
        definition.literal_secrets().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        warnings("local"),
        [
            "m:4:29: `env.GITHUB_TOKEN` holds a secret, use `${VAR}` instead",
            "m:3:41: `args[1]`, `args[2]` hold secrets, use `env` or `${VAR}` instead",
        ]
    );
    assert_eq!(
        warnings("remote"),
        [
            "m:8:34: `headers.Authorization` holds a secret, use `bearer_token_env_var` or `env_headers` or `${VAR}` instead",
            "m:7:12: `url` holds a secret, use `env_headers` or `${VAR}` instead",
        ]
    );
}

#[test]
fn placeholders_are_not_taken_for_secrets_and_told_of_once() {
    let text = r#"{"servers": {"s": {
      "command": "x", "args": ["--token", "<YOUR_TOKEN>", "--api-key=YOUR_API_KEY", "plain"],
      "env": {"API_KEY": "your-api-key-here", "OTHER": "xxx", "TOKEN": "hunter2"}
    }}}"#;
    let file = McpFile::parse(text, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let definition = file.entry("s").unwrap().definition.as_ref().unwrap();
    let warnings: Vec<String> = definition.literal_secrets().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "m:3:72: `env.TOKEN` holds a secret, use `${VAR}` instead",
            "m:3:26: `env.API_KEY`, `env.OTHER`, `args[1]`, `args[2]` look like placeholders, replace them",
        ]
    );
}

#[test]
fn an_outlook_tells_everything_before_a_start() {
    let text = r#"{"servers": {
      "s": {"command": "x", "args": ["${NOTSET}", "${input:key}", "$(x)"], "comand": "y",
            "env": {"TOKEN": "hunter2", "KEY": "${}"}},
      "refused": {"url": 5},
      "fine": {"command": "x", "args": ["${TOKEN}", "${NOTSET:-x}"]}
    }}"#;
    let file = McpFile::parse(text, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let merged = Merged::new(vec![file]);
    let told = |name: &str| {
        let outlook = merged.server(name).unwrap().outlook(&environment, Path::new("/"));
        let text = |lines: Vec<String>| lines.join("\n");
        (
            text(outlook.problems.iter().map(ToString::to_string).collect()),
            text(outlook.warnings.iter().map(ToString::to_string).collect()),
        )
    };
    let (problems, warnings) = told("s");
    assert_eq!(problems, "m:2:38: `args[0]` needs the environment variable `NOTSET`, which is not set");
    for part in [
        "`comand` is unknown, did you mean `command`",
        "`args[1]` holds a `${input:…}`, which nobody is asked for here, use `${VAR}` instead",
        "`env.KEY` holds a `${…}` that is not expanded",
        "`env.TOKEN` holds a secret",
    ] {
        assert!(warnings.contains(part), "{part}: {warnings}");
    }
    assert_eq!(warnings.lines().count(), 4, "{warnings}");
    assert!(told("refused").0.contains("`url` must be"), "{:?}", told("refused"));
    assert_eq!(told("fine"), (String::new(), String::new()));
}

#[test]
fn no_secret_is_in_any_debug_text() {
    let file = McpFile::parse(TEXT, &Source::file(Path::new("m"), Scope::User)).unwrap();
    for server in Merged::new(vec![file]).servers {
        let server = server.resolve(&environment, Path::new("/")).unwrap();
        let debug = format!("{server:?}");
        assert!(!debug.contains("hunter2"), "{debug}");
    }
}

#[test]
fn the_redactor_knows_every_secret_and_leaves_plain_values() {
    let file = McpFile::parse(TEXT, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let merged = Merged::new(vec![file]);
    let servers: Vec<_> =
        merged.servers.iter().map(|server| server.resolve(&environment, Path::new("/")).unwrap()).collect();
    let local = "hunter2-arg hunter2-key hunter2-env hunter2-expanded production plain";
    assert_eq!(servers[0].redactor().apply(local), "REDACTED REDACTED REDACTED REDACTED production plain");
    let remote = "hunter2-url hunter2-query hunter2-header hunter2-expanded hunter2-other text/plain";
    assert_eq!(
        servers[1].redactor().apply(remote),
        "REDACTED REDACTED REDACTED REDACTED REDACTED text/plain"
    );
}

fn check(definition: &str, text: &str, shown: &str) {
    let text_of_file = format!(r#"{{"servers": {{"s": {definition}}}}}"#);
    let file = McpFile::parse(&text_of_file, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let server = Merged::new(vec![file]).servers[0].resolve(&environment, Path::new("/")).unwrap();
    assert_eq!(server.redactor().apply(text), shown, "{definition}");
}

#[test]
fn every_secret_of_one_argument_is_known() {
    check(
        r#"{"command": "x", "args": ["https://bob:topsecret1@db/x?api_key=topsecret2&b=1"]}"#,
        "bob topsecret1 topsecret2",
        "bob REDACTED REDACTED",
    );
    check(
        r#"{"command": "x", "args": ["X: y --token=topsecret1 --secret=topsecret2"]}"#,
        "topsecret1 topsecret2",
        "REDACTED REDACTED",
    );
    check(
        r#"{"command": "x", "args": ["Server=h;Password=topsecret1;Api-Key=topsecret2"]}"#,
        "topsecret1 topsecret2",
        "REDACTED REDACTED",
    );
    check(r#"{"url": "https://u:p%40ssword@h.test/"}"#, "p%40ssword p@ssword", "REDACTED REDACTED");
}

#[test]
fn a_value_of_env_is_known_whatever_its_name() {
    for name in ["DATABASE_URL", "LICENSE", "PGPASSFILE", "TOK", "SERVER"] {
        check(
            &format!(r#"{{"command": "x", "env": {{"{name}": "postgres://bob:topsecret1@db/x"}}}}"#),
            "cannot connect to postgres://bob:topsecret1@db/x: topsecret1 is wrong",
            "cannot connect to REDACTED: REDACTED is wrong",
        );
        let text = format!(r#"{{"command": "x", "env": {{"{name}": "topsecret1"}}}}"#);
        check(&text, "topsecret1", "REDACTED");
    }
    check(
        r#"{"command": "x", "env": {"A": "1", "B": "true", "C": "/usr/bin", "D": "production", "E": "12345678"}}"#,
        "1 true /usr/bin/node production 12345678",
        "1 true /usr/bin/node production 12345678",
    );
}

#[test]
fn a_command_that_is_a_whole_command_line_is_looked_through() {
    let definition = r#"{"command": "server --token=topsecret1 --url https://u:topsecret2@h/"}"#;
    check(definition, "topsecret1 topsecret2", "REDACTED REDACTED");
    let text = format!(r#"{{"servers": {{"s": {definition}}}}}"#);
    let file = McpFile::parse(&text, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let warnings = file.entry("s").unwrap().definition.as_ref().unwrap().literal_secrets();
    assert!(warnings[0].to_string().contains("`command` holds a secret"), "{warnings:?}");
}
