//! One entry: what it may hold, and that a bad one disables only itself.

use std::path::Path;

use codewhale_mcp_config::{
    Auth, AutoApprove, Entry, Kind, McpFile, Problem, Scope, Source, Warning, valid_new_name,
};

fn entry_of(scope: Scope, json: &str) -> Entry {
    let text = format!("{{\"servers\": {{\"good\": {{\"command\": \"x\"}},\n\"a\": {json}}}}}");
    let file = McpFile::parse(&text, &Source::file(Path::new("m"), scope)).unwrap();
    assert!(file.entry("good").unwrap().definition.is_ok());
    file.entry("a").unwrap().clone()
}

fn entry(json: &str) -> Entry {
    entry_of(Scope::User, json)
}

fn problems(json: &str) -> Vec<String> {
    entry(json).definition.expect_err(json).iter().map(ToString::to_string).collect()
}

fn warnings(json: &str) -> Vec<String> {
    let entry = entry(json);
    assert!(entry.definition.is_ok(), "{:?}", entry.definition);
    entry.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn every_field_is_read_with_its_place() {
    let entry = entry(
        r#"{
  "url": "https://h.test/mcp", "type": "streamable-http", "headers": {"X-A": "1"}, "env_headers": {"X-B": "B"},
  "bearer_token_env_var": "T", "scopes": ["s"], "oauth": {"client_id": "c", "client_secret_env_var": "CS"},
  "oauth_resource": "r", "allow_private_network": true, "disabled": false, "enabled": true, "required": true,
  "enabled_tools": ["t"], "disabled_tools": ["u"], "autoApprove": ["t"], "alwaysLoad": true, "defer_loading": false
}"#,
    );
    assert_eq!(entry.warnings, []);
    let d = entry.definition.unwrap();
    assert_eq!((d.kind, d.is_on(), d.auth()), (Kind::Http, true, Auth::BearerEnv));
    assert_eq!(d.url.as_ref().unwrap().place.to_string(), "m:3:10");
    assert_eq!(d.env_headers[0].value.place.to_string(), "m:3:107");
    assert_eq!(d.oauth_client_secret_env_var.unwrap().value, "CS");
    assert_eq!(d.auto_approve.unwrap().value, AutoApprove::Tools(vec!["t".into()]));
    assert_eq!(d.headers[0].value.value.expose(), "1");
    assert_eq!((d.scopes[0].value.as_str(), d.required.unwrap().value), ("s", true));
}

#[test]
fn an_entry_that_is_refused_still_says_that_nothing_is_done_without_it() {
    let rows = [
        (r#"{"command": "x", "required": true}"#, true, true),
        (r#"{"command": "x"}"#, true, false),
        (r#"{"command": 7, "required": true}"#, false, true),
        (r#"{"required": true}"#, false, true),
        (r#"{"command": 7, "required": false}"#, false, false),
        (r#"{"command": 7, "required": "true"}"#, false, false),
        (r#"{"command": 7, "required": true, "disabled": true}"#, false, false),
        (r#"{"command": 7, "required": true, "enabled": false}"#, false, false),
        ("7", false, false),
        (r#"{"command": "x"}, "a": {"command": "y", "required": true}"#, false, true),
    ];
    for (json, usable, required) in rows {
        let entry = entry(json);
        assert_eq!((entry.definition.is_ok(), entry.is_required), (usable, required), "{json}");
    }
}

#[test]
fn a_wrong_type_names_the_value_and_what_was_expected() {
    for (json, expected) in [
        ("7", "m:2:6: `a` must be an object, found a number"),
        ("{\"command\": 7}", "m:2:18: `command` must be a string, found a number"),
        (
            "{\"command\": \"x\", \"args\": \"-y\"}",
            "m:2:31: `args` must be an array of strings, found a string",
        ),
        ("{\"command\": \"x\", \"args\": [\"a\", 1]}", "m:2:37: `args[1]` must be a string, found a number"),
        (
            "{\"command\": \"x\", \"env\": {\"PORT\": 80}}",
            "m:2:39: `env.PORT` must be a string, found a number",
        ),
        ("{\"command\": \"x\", \"env\": {\"A\": null}}", "m:2:36: `env.A` must be a string, found null"),
        (
            "{\"command\": \"x\", \"enabled\": \"no\"}",
            "m:2:34: `enabled` must be true or false, found a string",
        ),
        ("{\"command\": \"x\", \"timeout\": \"30\"}", "m:2:34: `timeout` must be a number, found a string"),
        (
            "{\"url\": \"http://h\", \"oauth\": {\"client_id\": 1}}",
            "m:2:49: `oauth.client_id` must be a string, found a number",
        ),
        (
            "{\"url\": \"http://h\", \"oauth\": true}",
            "m:2:35: `oauth` must be an object, found true or false",
        ),
        ("{\"command\": \"\"}", "m:2:18: `command` must be not empty"),
        ("{\"command\": \"x\\u0000\"}", "m:2:18: `command` must be a string without null characters"),
        ("{\"command\": \"x\", \"env\": {\"A=B\": \"\"}}", "m:2:31: `env.A` must be a name without `=`"),
        (
            "{\"url\": \"http://h\", \"headers\": {\"A B\": \"\"}}",
            "m:2:38: `headers.A B` must be a header name",
        ),
        (
            "{\"url\": \"http://h\", \"headers\": {\"A\": \"x\\ny\"}}",
            "m:2:43: `headers.A` must be a header value without line breaks and control characters",
        ),
        ("{\"url\": \"ftp://h\"}", "m:2:14: `url` must be an http or https URL"),
        ("{\"url\": \"h/mcp\"}", "m:2:14: `url` must be an absolute http or https URL"),
        ("{\"command\": \"x\", \"command\": \"y\"}", "m:2:7: `command` stands again at m:2:23"),
        (
            "{\"command\": \"x\", \"env\": {\"A\": \"\", \"A\": \"\"}}",
            "m:2:31: `env.A` stands again at m:2:40",
        ),
        (
            "{\"url\": \"http://h\", \"headers\": {\"A\": \"\", \"a\": \"\"}}",
            "m:2:43: `headers.a` stands again at m:2:52",
        ),
        (
            "{\"url\": \"http://h\", \"env_headers\": {}, \"env_http_headers\": {}}",
            "m:2:26: `env_headers (alias env_http_headers)` stands again at m:2:45",
        ),
    ] {
        assert_eq!(problems(json), [expected], "{json}");
    }
    assert_eq!(problems("{\"command\": 1, \"args\": 2, \"cwd\": 3}").len(), 3);
    assert_eq!(warnings("{\"command\": null, \"url\": \"http://h\", \"cwd\": null}"), [""; 0]);
}

#[test]
fn a_value_in_the_place_of_a_variables_name_is_refused_and_not_shown() {
    for value in
        ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "sk-1234567890abc", "Bearer abc", "${TOKEN}", "A=B"]
    {
        for (members, key) in [
            (format!("\"bearer_token_env_var\": {value:?}"), "bearer_token_env_var"),
            (format!("\"env_headers\": {{\"X-Key\": {value:?}}}"), "env_headers.X-Key"),
            (format!("\"oauth\": {{\"client_secret_env_var\": {value:?}}}"), "oauth.client_secret_env_var"),
        ] {
            let found = problems(&format!("{{\"url\": \"http://h\", {members}}}")).join("\n");
            let expected = format!("`{key}` must be the name of an environment variable, not its value");
            assert!(found.ends_with(&expected), "{members}: {found}");
        }
    }
}

#[test]
fn c10_a_typo_in_a_key_is_named_beside_what_is_missing() {
    for (json, expected) in [
        (
            "{\"url \": \"https://e.test/mcp\"}",
            "m:2:6: `a` needs `command` or `url`; `url ` (m:2:7) is unknown, did you mean `url`",
        ),
        (
            "{\"httpUrl\": \"https://e.test/mcp\"}",
            "m:2:6: `a` needs `command` or `url`; `httpUrl` (m:2:7) is unknown, did you mean `url`",
        ),
        (
            "{\"comand\": \"x\"}",
            "m:2:6: `a` needs `command` or `url`; `comand` (m:2:7) is unknown, did you mean `command`",
        ),
        ("{}", "m:2:6: `a` needs `command` or `url`"),
    ] {
        assert_eq!(problems(json), [expected]);
    }
    assert_eq!(
        warnings("{\"command\": \"x\", \"arg\": [], \"whatever\": 1, \"alwaysAllow\": []}"),
        [
            "m:2:23: `arg` is unknown, did you mean `args`",
            "m:2:34: `whatever` is unknown",
            "m:2:49: `alwaysAllow` is unknown, did you mean `autoApprove`"
        ]
    );
}

#[test]
fn c12_types_fold_and_contradictions_fail_closed() {
    let url = "\"url\": \"https://h.test/mcp\"";
    for (json, kind) in [
        (format!("{{{url}}}"), Kind::Http),
        (format!("{{{url}, \"type\": \"http\"}}"), Kind::Http),
        (format!("{{{url}, \"type\": \"streamable-http\"}}"), Kind::Http),
        (format!("{{{url}, \"type\": \"streamableHttp\"}}"), Kind::Http),
        (format!("{{{url}, \"type\": \"streamable_http\"}}"), Kind::Http),
        (format!("{{{url}, \"type\": \"sse\"}}"), Kind::Sse),
        (format!("{{{url}, \"transport\": \"sse\"}}"), Kind::Sse),
        (format!("{{{url}, \"type\": \"sse\", \"transport\": \"sse\"}}"), Kind::Sse),
        (format!("{{{url}, \"type\": \"streamableHttp\", \"transport\": \"http\"}}"), Kind::Http),
        ("{\"command\": \"x\"}".into(), Kind::Stdio),
        ("{\"command\": \"x\", \"type\": \"stdio\"}".into(), Kind::Stdio),
    ] {
        assert_eq!(entry(&json).definition.unwrap().kind, kind, "{json}");
    }
    for (json, expected) in [
        (format!("{{{url}, \"type\": \"ws\"}}"), "m:2:44: `type` is `ws`, expected `stdio`, `http` or `sse`"),
        (format!("{{{url}, \"type\": 7}}"), "m:2:44: `type` must be a string, found a number"),
        (format!("{{{url}, \"type\": \"stdio\"}}"), "m:2:44: `type: stdio` contradicts `url` (m:2:14)"),
        (
            format!("{{{url}, \"type\": \"http\", \"transport\": \"sse\"}}"),
            "m:2:44: `type: http` contradicts `transport` (m:2:65)",
        ),
        (
            "{\"command\": \"x\", \"transport\": \"sse\"}".into(),
            "m:2:36: `transport: sse` contradicts `command` (m:2:18)",
        ),
        (format!("{{{url}, \"command\": \"x\"}}"), "m:2:47: `command` and `url` (m:2:14) exclude each other"),
    ] {
        assert_eq!(problems(&json), [expected], "{json}");
    }
}

#[test]
fn sdk_servers_come_from_the_command_line_only() {
    let json = "{\"type\": \"sdk\", \"name\": \"a\"}";
    let from_flag = entry_of(Scope::Flag, json);
    assert_eq!((from_flag.definition.unwrap().kind, from_flag.warnings), (Kind::Sdk, vec![]));
    for scope in [Scope::User, Scope::Project, Scope::Plugin] {
        let problems = entry_of(scope, json).definition.unwrap_err();
        assert!(matches!(&problems[..], [Problem::SdkInFile { .. }]));
    }
}

#[test]
fn c13_a_bad_name_disables_only_its_entry() {
    let long = "a".repeat(300);
    let text = format!(
        "{{\"servers\": {{\"com.acme/x\": {0}, \"My Server\": {0}, \"\": {0}, \" \": {0}, \"{long}\": {0}, \"__proto__\": {0},
            \"a\\nb\": {0}, \"a\\u202eb\": {0}, \"鲸\": {0}}}}}",
        "{\"command\": \"x\"}"
    );
    let file = McpFile::parse(&text, &Source::file(Path::new("m"), Scope::User)).unwrap();
    let loaded: Vec<(&str, bool)> =
        file.entries.iter().map(|entry| (entry.name.as_str(), entry.definition.is_ok())).collect();
    assert_eq!(
        loaded,
        [
            ("com.acme/x", true),
            ("My Server", true),
            ("", false),
            (" ", false),
            (long.as_str(), true),
            ("__proto__", true),
            ("a\nb", false),
            ("a\u{202e}b", false),
            ("鲸", true)
        ]
    );
    for (name, valid) in
        [("a", true), ("A.b_c-9", true), ("", false), ("a b", false), ("ä", false), ("a/b", false)]
    {
        assert_eq!(valid_new_name(name), valid, "{name}");
    }
    assert!(valid_new_name(&"a".repeat(64)) && !valid_new_name(&"a".repeat(65)));
}

#[test]
fn c14_a_command_with_blanks_is_one_program_and_arguments_stay_as_they_are() {
    let entry = entry("{\"command\": \"/opt/My App/bin/srv\", \"args\": [\"--x\", \"a b\", \"\", \" c\"]}");
    let definition = entry.definition.unwrap();
    assert_eq!(definition.command.unwrap().value, "/opt/My App/bin/srv");
    let args: Vec<_> = definition.args.iter().map(|arg| arg.value.as_str()).collect();
    assert_eq!(args, ["--x", "a b", "", " c"]);
    assert_eq!(entry.warnings, []);
}

#[test]
fn c18_another_hosts_dialect_is_an_error_or_a_hint_at_once() {
    assert_eq!(
        problems("{\"command\": [\"npx\", \"-y\", \"x\"]}"),
        [
            "m:2:18: `command` must be one string, the program (its arguments belong into `args`), found an array"
        ]
    );
    let entry = entry("{\"command\": \"npx @x/y\"}");
    assert_eq!(entry.definition.unwrap().command.unwrap().value, "npx @x/y");
    assert!(matches!(&entry.warnings[..], [Warning::CommandLine { .. }]));
    assert_eq!(warnings("{\"command\": \"${NODE} x\"}"), [""; 0]);
}

#[test]
fn on_means_enabled_and_not_disabled() {
    for (json, on) in [
        ("{\"command\": \"x\"}", true),
        ("{\"command\": \"x\", \"enabled\": false}", false),
        ("{\"command\": \"x\", \"disabled\": true}", false),
        ("{\"command\": \"x\", \"enabled\": true, \"disabled\": true}", false),
        ("{\"command\": \"x\", \"enabled\": true, \"disabled\": false}", true),
    ] {
        assert_eq!(entry(json).definition.unwrap().is_on(), on, "{json}");
    }
}

#[test]
fn what_has_no_effect_gets_a_warning() {
    for (json, expected) in [
        (
            "{\"command\": \"x\", \"timeout\": 5, \"execute_timeout\": 6}",
            "m:2:34: `timeout` has no effect beside `execute_timeout` (m:2:56)",
        ),
        (
            "{\"command\": \"x\", \"alwaysLoad\": true, \"defer_loading\": true}",
            "m:2:60: `defer_loading` has no effect beside `alwaysLoad` (m:2:37)",
        ),
        (
            "{\"url\": \"http://h\", \"headers\": {\"X-A\": \"\"}, \"env_headers\": {\"x-a\": \"V\"}}",
            "m:2:45: `headers.X-A` has no effect beside `env_headers` (m:2:73)",
        ),
        (
            "{\"url\": \"http://h\", \"bearer_token_env_var\": \"V\", \"env_headers\": {\"authorization\": \"W\"}}",
            "m:2:50: `bearer_token_env_var` has no effect beside `env_headers` (m:2:88)",
        ),
        (
            "{\"url\": \"http://h\", \"bearer_token_env_var\": \"V\", \"headers\": {\"Authorization\": \"${W}\"}}",
            "m:2:50: `bearer_token_env_var` has no effect beside `headers` (m:2:84)",
        ),
        (
            "{\"command\": \"x\", \"headers\": {}}",
            "m:2:23: `headers` has no effect for a server of type stdio",
        ),
        ("{\"url\": \"http://h\", \"args\": []}", "m:2:26: `args` has no effect for a server of type http"),
    ] {
        assert_eq!(warnings(json), [expected], "{json}");
    }
}

#[test]
fn auto_approve_is_a_list_or_a_flag() {
    for (json, covered) in [("true", true), ("false", false), ("[\"t\"]", true), ("[]", false)] {
        let entry = entry(&format!("{{\"command\": \"x\", \"autoApprove\": {json}}}"));
        assert_eq!(entry.definition.unwrap().auto_approve.unwrap().value.covers("t"), covered, "{json}");
    }
    assert_eq!(problems("{\"command\": \"x\", \"autoApprove\": \"t\"}").len(), 1);
}

#[test]
fn the_kind_of_authorization_follows_the_precedence() {
    for (more, auth) in [
        ("", Auth::OAuth),
        (", \"headers\": {\"X-A\": \"1\"}", Auth::OAuth),
        (", \"headers\": {\"Authorization\": \"1\"}, \"bearer_token_env_var\": \"T\"", Auth::Header),
        (
            ", \"headers\": {\"Authorization\": \"1\"}, \"env_http_headers\": {\"X-Api-Key\": \"T\"}",
            Auth::EnvHeader,
        ),
        (", \"bearer_token_env_var\": \"T\"", Auth::BearerEnv),
    ] {
        let entry = entry(&format!("{{\"url\": \"http://h\"{more}}}"));
        assert_eq!(entry.definition.unwrap().auth(), auth, "{more}");
    }
    assert_eq!(entry("{\"command\": \"x\"}").definition.unwrap().auth(), Auth::None);
    let user = entry(r#"{"url": "https://me:${PASSWORD}@h.test"}"#).definition.unwrap();
    assert_eq!(user.auth(), Auth::Header);
}

#[test]
fn what_a_remote_server_is_sent_of_the_environment_is_known() {
    let remote = entry(
        r#"{"url": "https://${HOST}/${env:PATH_OF:-x}", "headers": {"A": "a ${B}${B2:-c} ${}", "C": "d"},
            "env_headers": {"E": "F"}, "bearer_token_env_var": "G", "oauth": {"client_secret_env_var": "H"}}"#,
    );
    let sent = remote.definition.unwrap().sent_variables();
    let sent: Vec<_> = sent.iter().map(|(key, variable)| (key.as_str(), variable.as_str())).collect();
    let expected = [
        ("url", "HOST"),
        ("url", "PATH_OF"),
        ("headers.A", "B"),
        ("headers.A", "B2"),
        ("env_headers.E", "F"),
        ("bearer_token_env_var", "G"),
        ("oauth.client_secret_env_var", "H"),
    ];
    assert_eq!(sent, expected);
    assert_eq!(entry(r#"{"command": "${X}"}"#).definition.unwrap().sent_variables(), []);
}
