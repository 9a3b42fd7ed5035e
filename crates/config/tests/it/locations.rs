//! Which file is the user's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use codewhale_mcp_config::{
    Home, LocateError, LocateInputs, Rule, Scope, Settings, Source, enclosing_project, locate, misplaced,
    project_file, project_settings,
};

struct World<'w> {
    variables: &'w [(&'w str, &'w str)],
    files: &'w [&'w str],
    flag: Option<&'w str>,
    setting: Option<&'w str>,
}

impl World<'_> {
    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
    }

    fn locate(&self) -> Result<(String, Rule, String, Option<PathBuf>), LocateError> {
        let environment = |name: &str| self.variable(name);
        let home = Home::find(&environment, Some(Path::new("/home/me")), Path::new("/cwd")).unwrap();
        let text = self.setting.map(|path| format!("mcp_config_path = \"{path}\"")).unwrap_or_default();
        let settings = Settings::parse(&text, &Source::label("config.toml", Scope::User)).unwrap();
        let found = locate(&LocateInputs {
            flag: self.flag.map(Path::new),
            environment: &environment,
            home: &home,
            settings: settings.mcp_config_path.as_ref(),
            base: Path::new("/cwd"),
            exists: &|path| self.files.iter().any(|file| Path::new(file) == path),
        })?;
        let shown = |path: &Path| path.display().to_string();
        Ok((shown(&found.path), found.rule, shown(&found.init_path), found.unused_legacy))
    }
}

const NOTHING: World<'_> = World { variables: &[], files: &[], flag: None, setting: None };

#[test]
fn the_first_of_flag_variables_setting_and_home() {
    let variables = &[("CODEWHALE_MCP_CONFIG", "/v/1.json"), ("DEEPSEEK_MCP_CONFIG", "v/2.json")][..];
    let path = |world: World<'_>| {
        let (path, rule, init, _) = world.locate().unwrap();
        assert_eq!(path, init);
        (path, rule)
    };
    let all = World { variables, files: &[], flag: Some("f.json"), setting: Some("/s.json") };
    assert_eq!(path(all), ("/cwd/f.json".into(), Rule::Flag));
    let world = World { variables, setting: Some("/s.json"), ..NOTHING };
    assert_eq!(path(world), ("/v/1.json".into(), Rule::Variable("CODEWHALE_MCP_CONFIG")));
    let world = World { variables: &variables[1..], setting: Some("/s.json"), ..NOTHING };
    assert_eq!(path(world), ("/cwd/v/2.json".into(), Rule::Variable("DEEPSEEK_MCP_CONFIG")));
    let world = World { variables: &[("CODEWHALE_MCP_CONFIG", "")], setting: Some("~/s.json"), ..NOTHING };
    let (found, rule) = path(world);
    assert_eq!(found, "/home/me/s.json");
    assert!(matches!(rule, Rule::Settings(place) if place.to_string() == "config.toml:1:19"));
    assert_eq!(path(NOTHING), ("/home/me/.codewhale/mcp.json".into(), Rule::Home));
    let world = World { variables: &[("CODEWHALE_HOME", "/ch")], ..NOTHING };
    assert_eq!(path(world), ("/ch/mcp.json".into(), Rule::Home));
}

#[test]
fn a_relative_setting_is_refused() {
    for setting in ["s.json", "./s.json", "~other/s.json"] {
        let world = World { setting: Some(setting), ..NOTHING };
        assert!(matches!(world.locate(), Err(LocateError::RelativePath { .. })), "{setting}");
    }
}

#[test]
fn the_legacy_file_counts_while_it_is_the_only_one() {
    let (old, new) = ("/home/me/.deepseek/mcp.json", "/home/me/.codewhale/mcp.json");
    let only_old = World { files: &[old], ..NOTHING };
    assert_eq!(only_old.locate().unwrap(), (old.into(), Rule::Legacy, new.into(), None));
    let both = World { files: &[old, new], ..NOTHING };
    assert_eq!(both.locate().unwrap(), (new.into(), Rule::Home, new.into(), Some(old.into())));
    let named = World { variables: &[("CODEWHALE_HOME", "/ch")], files: &[old], ..NOTHING };
    assert_eq!(named.locate().unwrap(), ("/ch/mcp.json".into(), Rule::Home, "/ch/mcp.json".into(), None));
}

#[test]
fn without_a_home_there_is_no_guess() {
    let nothing = |_: &str| None;
    assert_eq!(Home::find(&nothing, None, Path::new("/cwd")), Err(LocateError::NoHome));
    let named = |name: &str| (name == "CODEWHALE_HOME").then(|| OsString::from("rel"));
    let home = Home::find(&named, None, Path::new("/cwd")).unwrap();
    assert_eq!((home.settings(), home.named), (PathBuf::from("/cwd/rel/config.toml"), true));
}

#[test]
fn c17_files_in_plausible_but_unused_places_are_found() {
    let workspace = Path::new("/ws");
    let home = Home::find(&|_: &str| None, Some(Path::new("/home/me")), workspace).unwrap();
    let files = [
        "/ws/.claude/mcp.json",
        "/ws/.mcp.json",
        "/ws/.codewhale/mcp.json",
        "/.codewhale/mcp.json",
        "/home/me/.mcp.json",
        "/home/me/.codewhale/mcp.json",
        "/ws/other.json",
    ];
    let exists = |path: &Path| files.iter().any(|file| Path::new(file) == path);
    let unread = ["/ws/.mcp.json", "/ws/.claude/mcp.json", "/.codewhale/mcp.json", "/home/me/.mcp.json"];
    assert_eq!(misplaced(workspace, &home, &exists), unread.map(PathBuf::from));
    // What is read is not among them, wherever it is looked at from, and nothing comes twice.
    let below_home = misplaced(Path::new("/home/me/ws"), &home, &exists);
    assert_eq!(below_home, [PathBuf::from("/home/me/.mcp.json")]);
    // A project is found from every folder of it.
    let deep = Path::new("/ws/sub/of/it");
    assert_eq!(enclosing_project(deep, &home, &exists), Some(workspace.to_owned()));
    assert!(misplaced(deep, &home, &exists).contains(&project_file(workspace)));
    assert_eq!(enclosing_project(workspace, &home, &exists), Some(PathBuf::from("/")));
    let only_users = |path: &Path| path == Path::new("/home/me/.codewhale/mcp.json");
    assert_eq!(enclosing_project(Path::new("/home/me/ws"), &home, &only_users), None);
    assert_eq!(project_file(workspace), Path::new("/ws/.codewhale/mcp.json"));
    assert_eq!(project_settings(workspace), Path::new("/ws/.codewhale/config.toml"));
}
