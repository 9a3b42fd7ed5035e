//! `config.toml`.

use std::path::Path;

use codewhale_mcp_config::{Scope, Settings, SettingsError, Source, Warning};

fn parse(scope: Scope, text: &str) -> Result<Settings, SettingsError> {
    Settings::parse(text, &Source::file(Path::new("c.toml"), scope))
}

const ALL: &str = r#"
mcp_config_path = "/x/mcp.json"
mcp_oauth_callback_port = 1455
mcp_oauth_callback_url = "http://127.0.0.1:1455/callback"
[tools]
always_load = ["mcp_a_*"]
[mcp]
lazy = true
limits = { max_pages = 5, max_items = 0x10 }
server_definitions = [{ name = "old" }]
[mcp.approval]
allow = ["mcp_a_b"]
[network]
deny = ["*.evil.test"]
ca_file = "~/authorities.pem"
[model]
base_url = "https://api.test/v1"
model = "m"
api_key_env = "KEY"
[mcp_server]
allow = ["shell"]
shell_env = ["CARGO_HOME"]
"#;

#[test]
fn every_key_is_read_with_its_place() {
    let settings = parse(Scope::User, ALL).unwrap();
    assert_eq!(settings.warnings, []);
    assert_eq!(settings.mcp_config_path.unwrap().place.to_string(), "c.toml:2:19");
    assert_eq!(settings.mcp_oauth_callback_port.unwrap().value, 1455);
    assert_eq!(settings.mcp_oauth_callback_url.unwrap().value, "http://127.0.0.1:1455/callback");
    assert_eq!(settings.tools.always_load[0].place.to_string(), "c.toml:6:16");
    assert!(settings.mcp.lazy.unwrap().value);
    assert_eq!(
        (settings.mcp.limits.max_pages.unwrap().value, settings.mcp.limits.max_items.unwrap().value),
        (5, 16)
    );
    assert_eq!(settings.mcp.approval.allow[0].value, "mcp_a_b");
    assert_eq!(settings.network.deny[0].value, "*.evil.test");
    assert_eq!(settings.network.ca_file.unwrap().value, "~/authorities.pem");
    assert_eq!(settings.model.api_key_env.unwrap().value, "KEY");
    assert_eq!(settings.mcp_server.allow[0].value, "shell");
    assert_eq!(settings.mcp_server.shell_env[0].value, "CARGO_HOME");
    assert_eq!(parse(Scope::User, "\u{feff}# none\r\n").unwrap(), Settings::default());
}

#[test]
fn a_project_may_set_its_tools_only() {
    let project = parse(Scope::Project, ALL).unwrap();
    assert_eq!(project.tools.always_load[0].value, "mcp_a_*");
    let ignored: Vec<String> = project.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(ignored.len(), 7);
    assert_eq!(ignored[0], "c.toml:2:1: `mcp_config_path` is ignored, a project may only set `[tools]`");
    assert!(project.warnings.iter().all(|warning| matches!(warning, Warning::NotForProjects { .. })));
    let mut rest = project.clone();
    (rest.tools, rest.warnings) = Default::default();
    assert_eq!(rest, Settings::default());
    // What is ignored is not judged either.
    assert!(parse(Scope::Project, "mcp_oauth_callback_port = \"x\"").is_ok());

    let user = parse(Scope::User, "[tools]\nalways_load = [\"u\"]\n[network]\ndeny = [\"d\"]").unwrap();
    let both = user.with_project(project);
    let loaded: Vec<_> = both.tools.always_load.iter().map(|name| name.value.as_str()).collect();
    assert_eq!((loaded, both.network.deny.len()), (vec!["u", "mcp_a_*"], 1));
}

#[test]
fn a_bad_value_refuses_the_whole() {
    for (text, expected) in [
        ("mcp_config_path = 1", "c.toml:1:19: `mcp_config_path` must be a string, found a number"),
        (
            "mcp_oauth_callback_port = 70000",
            "c.toml:1:27: `mcp_oauth_callback_port` must be a whole number from 1 to 65535",
        ),
        (
            "mcp_oauth_callback_url = \"http://evil.test/\"",
            "c.toml:1:26: `mcp_oauth_callback_url` must be an https URL, or http on a loopback address",
        ),
        ("[network]\ndeny = \"x\"", "c.toml:2:8: `network.deny` must be an array of strings, found a string"),
        ("[mcp]\nlazy = 1979-05-27", "c.toml:2:8: `mcp.lazy` must be true or false, found a date"),
        (
            "[mcp.limits]\nmax_pages = 0",
            "c.toml:2:13: `mcp.limits.max_pages` must be a whole number from 1 on",
        ),
        ("tools = 1", "c.toml:1:9: `tools` must be an object, found a number"),
        ("[model]\nbase_url = \"x\"", "c.toml:2:12: `model.base_url` must be an absolute http or https URL"),
    ] {
        assert_eq!(parse(Scope::User, text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn what_is_no_toml_is_shown_with_a_caret_and_no_secret() {
    let SettingsError::Unusable(error) = parse(Scope::User, "a = 1\nb = = 2\n").unwrap_err() else {
        panic!("a parse error")
    };
    assert_eq!((error.place.line, error.place.column), (2, 5));
    assert_eq!(error.excerpt, "2 | b = = *\n  |     ^");
    for (text, excerpt) in [
        ("x = \"sk-supersecret1234", "1 | x = \"**-***************"),
        ("x = [\n\"supersecret\"\nb", "3 | *"),
        ("[mcp", "1 | [mcp"),
        ("x supersecret", "1 | * ***********"),
    ] {
        let SettingsError::Unusable(error) = parse(Scope::User, text).unwrap_err() else { panic!("{text}") };
        assert_eq!(error.excerpt.lines().next(), Some(excerpt), "{text}");
    }
    let error = parse(Scope::User, "api_key = \"hunter2\" x\n").unwrap_err();
    let SettingsError::Unusable(error) = error else { panic!("a parse error") };
    assert!(!format!("{error} {}", error.excerpt).contains("hunter2"));
}

#[test]
fn unknown_keys_get_a_suggestion() {
    let settings =
        parse(Scope::User, "mcp_config = \"/x\"\nprovider = \"y\"\n[tools]\nalwaysLoad = []").unwrap();
    let warnings: Vec<String> = settings.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "c.toml:1:1: `mcp_config` is unknown",
            "c.toml:2:1: `provider` is unknown",
            "c.toml:4:1: `tools.alwaysLoad` is unknown, did you mean `always_load`"
        ]
    );
}

#[test]
fn a_missing_file_sets_nothing() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Settings::read(&folder.path().join("config.toml"), Scope::User).unwrap(), Settings::default());
    assert!(matches!(Settings::read(folder.path(), Scope::User), Err(SettingsError::Unreadable(_))));
}

#[test]
fn c01_a_byte_order_mark_before_the_settings_is_dropped() {
    let settings = parse(Scope::User, "\u{feff}mcp_config_path = \"/\u{feff}x\"\n").unwrap();
    let path = settings.mcp_config_path.unwrap();
    assert_eq!((path.value.as_str(), path.place.to_string().as_str()), ("/\u{feff}x", "c.toml:1:19"));
}
