//! `${VAR}` and its forms, and what a missing variable does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use codewhale_mcp_config::{
    McpFile, Merged, MergedServer, Problem, Scope, Server, Source, Transport, Warning,
};

const VARIABLES: &[(&str, &str)] = &[
    ("MY_KEY", "k-123456"),
    ("EMPTY", ""),
    ("NESTED", "${MY_KEY}"),
    ("HOST", "h.test"),
    ("DIR", "sub"),
    ("TOKEN", "t-secret-1"),
    ("LINES", "a\nb"),
    ("A1_b", "x"),
];

fn environment(name: &str) -> Option<OsString> {
    VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
}

fn merged(json: &str) -> MergedServer {
    let text = format!("{{\"servers\": {{\"a\": {json}}}}}");
    let file = McpFile::parse(&text, &Source::file(Path::new("m"), Scope::User)).unwrap();
    Merged::new(vec![file]).servers.remove(0)
}

fn resolve(json: &str) -> Result<Server, Vec<Problem>> {
    merged(json).resolve(&environment, Path::new("/proj"))
}

fn messages(json: &str) -> Vec<String> {
    resolve(json).unwrap_err().iter().map(ToString::to_string).collect()
}

fn expand(text: &str) -> String {
    let json = format!("{{\"command\": \"x\", \"args\": [{}]}}", quoted(text));
    match resolve(&json).unwrap().transport {
        Transport::Stdio(stdio) => stdio.args[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[test]
fn c08_the_known_forms_expand_once_and_the_others_stay() {
    for (text, expanded) in [
        ("${MY_KEY}", "k-123456"),
        ("${env:MY_KEY}", "k-123456"),
        ("${MY_KEY:-d}", "k-123456"),
        ("${NOPE:-d e}", "d e"),
        ("${NOPE:-}", ""),
        ("${EMPTY:-d}", "d"),
        ("${EMPTY}", ""),
        ("${env:NOPE:-d}", "d"),
        ("a${A1_b}b${A1_b}c", "axbxc"),
        ("${NESTED}", "${MY_KEY}"),
        ("${NOPE:-${MY_KEY}}", "${MY_KEY}"),
        ("$MY_KEY", "$MY_KEY"),
        ("${}", "${}"),
        ("${", "${"),
        ("${1X}", "${1X}"),
        ("${MY KEY}", "${MY KEY}"),
        ("${input:x}", "${input:x}"),
        ("${MY_KEY-d}", "${MY_KEY-d}"),
        ("$${MY_KEY}", "$k-123456"),
        ("${${MY_KEY}}", "${k-123456}"),
        ("plain", "plain"),
    ] {
        assert_eq!(expand(text), expanded, "{text}");
    }
    let server = resolve("{\"command\": \"x\", \"args\": [\"${1X}\"], \"cwd\": \"${input:x}\"}").unwrap();
    let [Warning::InputForm { key: input, .. }, Warning::UnknownForm { key: other, .. }] =
        &server.warnings[..]
    else {
        panic!("{:?}", server.warnings)
    };
    assert_eq!((input.as_str(), other.as_str()), ("cwd", "args[0]"));
}

#[test]
fn c07_all_places_expand_alike() {
    let server = resolve(
        r#"{"command": "/bin/${DIR}", "args": ["${MY_KEY}"], "env": {"K": "${MY_KEY}", "${DIR}": "name stays"}, "cwd": "./${DIR}"}"#,
    );
    let Transport::Stdio(stdio) = server.unwrap().transport else { panic!("a command") };
    assert_eq!((stdio.command.as_str(), stdio.args[0].as_str()), ("/bin/sub", "k-123456"));
    assert_eq!(stdio.env[0].1.expose(), "k-123456");
    assert_eq!(stdio.env[1].0, "${DIR}");
    assert_eq!(stdio.cwd, Some(PathBuf::from("/proj/./sub")));

    let server = resolve(r#"{"url": "https://${HOST}/mcp", "headers": {"X-Key": "a ${MY_KEY}"}}"#).unwrap();
    let Transport::Http(remote) = &server.transport else { panic!("a URL") };
    assert_eq!(
        (remote.url.as_str(), remote.headers[0].1.expose().as_str()),
        ("https://h.test/mcp", "a k-123456")
    );
    assert_eq!(server.redactor().apply("sent k-123456"), "sent REDACTED");
}

#[test]
fn a_missing_variable_is_named_with_its_place_and_nothing_of_the_value() {
    assert_eq!(
        messages(
            r#"{"url": "https://h.test/${NOPE}", "headers": {"Authorization": "Bearer hunter2 ${NOPE}"}, "env_headers": {"X": "NOPE2"}}"#
        ),
        [
            "m:1:27: `url` needs the environment variable `NOPE`, which is not set",
            "m:1:82: `headers.Authorization` needs the environment variable `NOPE`, which is not set",
            "m:1:130: `env_headers.X` needs the environment variable `NOPE2`, which is not set",
        ]
    );
    for json in [
        r#"{"command": "${NOPE}"}"#,
        r#"{"command": "x", "args": ["${NOPE}"]}"#,
        r#"{"command": "x", "env": {"A": "${NOPE}"}}"#,
        r#"{"command": "x", "cwd": "${NOPE}"}"#,
        r#"{"url": "https://h.test", "bearer_token_env_var": "NOPE"}"#,
        r#"{"url": "https://h.test", "bearer_token_env_var": "EMPTY"}"#,
    ] {
        assert!(matches!(&resolve(json).unwrap_err()[..], [Problem::MissingVariable { .. }]), "{json}");
    }
}

#[test]
fn what_a_variable_holds_is_checked_too() {
    for (json, expected) in [
        (r#"{"url": "${MY_KEY}"}"#, "m:1:27: `url` must be an absolute http or https URL"),
        (r#"{"command": "${EMPTY}"}"#, "m:1:31: `command` must be not empty"),
        (
            r#"{"url": "http://h", "headers": {"A": "${LINES}"}}"#,
            "m:1:56: `headers.A` must be a header value without line breaks and control characters",
        ),
        (
            r#"{"url": "http://h", "env_headers": {"A": "LINES"}}"#,
            "m:1:60: `env_headers.A` must be the name of a variable whose value has no line breaks",
        ),
    ] {
        assert_eq!(messages(json), [expected], "{json}");
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStringExt as _;

    let environment = |_: &str| Some(OsString::from_vec(vec![0xff]));
    for json in [r#"{"command": "${A}"}"#, r#"{"url": "http://h", "bearer_token_env_var": "A"}"#] {
        let problems = merged(json).resolve(&environment, Path::new("/proj")).unwrap_err();
        assert!(matches!(&problems[..], [Problem::VariableNotText { .. }]), "{json}");
    }
}

#[test]
fn headers_come_first_and_then_the_bearer_token() {
    let remote = |json: &str| match resolve(json).unwrap().transport {
        Transport::Http(remote) | Transport::Sse(remote) => remote,
        other => panic!("{other:?}"),
    };
    let bearer = remote(
        r#"{"url": "http://h", "transport": "sse", "headers": {"X-A": "1"}, "bearer_token_env_var": "TOKEN"}"#,
    );
    assert_eq!(bearer.bearer.unwrap().expose(), "t-secret-1");
    let header =
        remote(r#"{"url": "http://h", "headers": {"authorization": "x"}, "bearer_token_env_var": "TOKEN"}"#);
    assert!(header.bearer.is_none());
    let both = remote(
        r#"{"url": "http://h", "headers": {"X-A": "literal", "X-B": "2"}, "env_http_headers": {"x-a": "MY_KEY"}}"#,
    );
    let headers: Vec<(&str, &str)> =
        both.headers.iter().map(|(name, value)| (name.as_str(), value.expose().as_str())).collect();
    assert_eq!(headers, [("X-B", "2"), ("x-a", "k-123456")]);
}

#[test]
fn c22_a_relative_working_directory_starts_at_the_workspace() {
    for (cwd, expected) in
        [("./sub", "/proj/./sub"), ("sub", "/proj/sub"), ("/abs", "/abs"), ("~/x", "/proj/~/x")]
    {
        let Transport::Stdio(stdio) =
            resolve(&format!("{{\"command\": \"x\", \"cwd\": \"{cwd}\"}}")).unwrap().transport
        else {
            panic!("a command")
        };
        assert_eq!(stdio.cwd, Some(PathBuf::from(expected)));
    }
}

#[test]
fn c08_what_was_learnt_from_a_server_is_dropped_when_its_expanded_value_changes() {
    let json = r#"{"command": "x", "env": {"K": "${K}"}, "disabled": true}"#;
    let print = |value: &str, json: &str| {
        let environment = |_: &str| Some(OsString::from(value));
        let server = merged(json).resolve(&environment, Path::new("/proj")).unwrap();
        (server.fingerprint(), server.hash)
    };
    assert_eq!(print("1", json), print("1", json));
    assert_ne!(print("1", json).0, print("2", json).0);
    assert_eq!(print("1", json).1, print("2", json).1);
    assert_ne!(print("1", json).0, print("1", r#"{"command": "xK1"}"#).0);
}

#[test]
fn the_defaults_of_a_server() {
    let server = resolve("{\"command\": \"x\"}").unwrap();
    assert!(server.enabled && !server.required && !server.always_load && !server.is_eager());
    assert_eq!(server.defer_loading, None);
    assert!(server.tools.allows("any") && !server.auto_approve.covers("any"));
    for (json, eager, deferred) in [
        ("\"alwaysLoad\": true, \"defer_loading\": true", true, None),
        ("\"alwaysLoad\": false, \"defer_loading\": true", false, Some(true)),
        ("\"defer_loading\": false", true, Some(false)),
        ("\"required\": true", true, None),
    ] {
        let server = resolve(&format!("{{\"command\": \"x\", {json}}}")).unwrap();
        assert_eq!((server.is_eager(), server.defer_loading), (eager, deferred), "{json}");
    }
}

#[test]
fn an_empty_allow_list_allows_all_and_a_denial_wins() {
    let tools = |json: &str| resolve(&format!("{{\"command\": \"x\", {json}}}")).unwrap().tools;
    assert!(tools("\"enabled_tools\": []").allows("a"));
    let filter = tools("\"enabled_tools\": [\"a\", \"b\"], \"disabled_tools\": [\"b\"]");
    assert!(filter.allows("a") && !filter.allows("b") && !filter.allows("c") && !filter.allows("A"));
}
