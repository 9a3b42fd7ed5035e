//! What people paste from vendors' pages.

use codewhale_mcp_config::edit::{EditError, SnippetError, parse_snippet};
use codewhale_mcp_config::{Kind, Scope};

fn check(text: &str, name: Option<&str>, kind: Kind) {
    let snippet = parse_snippet(text, "wanted").unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(snippet.name.as_deref(), name, "{text}");
    assert_eq!(
        snippet.definition.check("wanted", Scope::User).unwrap().definition.unwrap().kind,
        kind,
        "{text}"
    );
}

#[test]
fn entries_named_entries_and_whole_files_are_understood() {
    check(r#"{"command": "x", "args": []}"#, None, Kind::Stdio);
    check(r#"{"url": "http://h", "type": "sse",} // c"#, None, Kind::Sse);
    check(r#"{"files": {"command": "x"}}"#, Some("files"), Kind::Stdio);
    check(r#""files": {"command": "x"}"#, Some("files"), Kind::Stdio);
    check(r#"{"mcpServers": {"files": {"command": "x"}}}"#, Some("files"), Kind::Stdio);
    check(r#"{"servers": {"files": {"url": "http://h"}}, "inputs": []}"#, Some("files"), Kind::Http);
    check(r#"{"mcp": {"servers": {"files": {"command": "x"}}}}"#, Some("files"), Kind::Stdio);
    check(
        r#"{"servers": {"other": {"url": "http://h"}, "wanted": {"command": "x"}}}"#,
        Some("wanted"),
        Kind::Stdio,
    );
    check(r#"{"command": {"command": "x"}}"#, Some("command"), Kind::Stdio);
}

#[test]
fn what_is_no_single_server_is_refused() {
    let several = parse_snippet(r#"{"servers": {"a": {"command": "x"}, "b": {"command": "x"}}}"#, "wanted")
        .unwrap_err();
    assert_eq!(several.to_string(), "the text holds several servers and none is called `wanted`: a, b");
    assert_eq!(
        several,
        SnippetError::Several { wanted: "wanted".into(), names: vec!["a".into(), "b".into()] }
    );
    for (text, near) in [
        ("{}", ""),
        ("{\"servers\": {}}", ""),
        ("{\"a\": 1}", ""),
        ("{\"args\": [\"x\"], \"env\": {\"A\": \"b\"}}", ""),
        ("{\"comand\": \"npx\"}", "; `comand` is unknown, did you mean `command`"),
        ("{\"httpUrl\": \"https://h\", \"headers\": {}}", "; `httpUrl` is unknown, did you mean `url`"),
    ] {
        let error = parse_snippet(text, "wanted").unwrap_err();
        assert!(matches!(error, SnippetError::NoServer { .. }), "{text}");
        let told = format!("the text holds no server, which has a `command` or a `url`{near}");
        assert_eq!(error.to_string(), told, "{text}");
    }
    check(r#"{"env": {"command": "x"}}"#, Some("env"), Kind::Stdio);
    for text in ["", "npx -y x", "[]", "{\"a\": "] {
        assert!(matches!(parse_snippet(text, "wanted"), Err(SnippetError::Unusable(_))), "{text}");
    }
    let bad = parse_snippet(r#"{"command": ["x"]}"#, "wanted").unwrap();
    assert!(matches!(bad.definition.check("wanted", Scope::User), Err(EditError::BadDefinition { .. })));
    assert_eq!(format!("{:?}", bad.definition), "Definition { .. }");
}
