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
            "m:3:41: `args[1]` holds a secret, use `env` or `${VAR}` instead",
            "m:3:56: `args[2]` holds a secret, use `env` or `${VAR}` instead",
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
