//! Where the files are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Environment, Located, Place};

/// Environment variables that name the file, the first that is set and not empty wins.
const VARIABLES: [&str; 2] = ["CODEWHALE_MCP_CONFIG", "DEEPSEEK_MCP_CONFIG"];

/// The file of before, below the user's home folder.
const LEGACY: &str = ".deepseek/mcp.json";

/// The product's home folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// `$CODEWHALE_HOME`, else `~/.codewhale`.
    pub folder: PathBuf,
    /// The user's home folder, if known.
    pub user: Option<PathBuf>,
    /// Whether `CODEWHALE_HOME` names it; then nothing outside is fallen back to.
    pub named: bool,
}

impl Home {
    /// Finds it. `user` is the user's home folder, `base` the working directory that a relative path starts at.
    pub fn find(
        environment: &dyn Environment,
        user: Option<&Path>,
        base: &Path,
    ) -> Result<Self, LocateError> {
        let user = user.map(Path::to_owned);
        match set(environment, "CODEWHALE_HOME") {
            Some(folder) => Ok(Self { folder: base.join(folder), user, named: true }),
            None => match user {
                Some(user) => Ok(Self { folder: user.join(".codewhale"), user: Some(user), named: false }),
                None => Err(LocateError::NoHome),
            },
        }
    }

    /// `config.toml` of the user.
    pub fn settings(&self) -> PathBuf {
        self.folder.join("config.toml")
    }

    /// The file that a member of `config.toml` names: an absolute path, or one below `~`.
    ///
    /// # Errors
    /// [`LocateError::RelativePath`].
    pub fn file(&self, key: &'static str, named: &Located<String>) -> Result<PathBuf, LocateError> {
        let path = expand_home(&named.value, self.user.as_deref());
        match path.is_absolute() {
            true => Ok(path),
            false => Err(LocateError::RelativePath { key, place: named.place.clone() }),
        }
    }
}

/// Why the user's `mcp.json` has no path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocateError {
    /// Neither `CODEWHALE_HOME` nor a home folder.
    #[error("there is no home folder and CODEWHALE_HOME is not set")]
    NoHome,
    /// A path of `config.toml` is relative.
    #[error("{place}: `{key}` must be an absolute path")]
    RelativePath {
        /// The member.
        key: &'static str,
        /// Where it is set.
        place: Place,
    },
}

/// The user's `mcp.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigPath {
    /// The file that is read and edited; it need not exist.
    pub path: PathBuf,
    /// What chose it.
    pub rule: Rule,
    /// The file that `init` writes: `path`, or the new place while `path` is the legacy one.
    pub init_path: PathBuf,
    /// A legacy file that exists and does not count.
    pub unused_legacy: Option<PathBuf>,
}

/// What chose the path of the user's `mcp.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// `--config`.
    Flag,
    /// An environment variable.
    Variable(&'static str),
    /// `mcp_config_path` in `config.toml`.
    Settings(Place),
    /// `mcp.json` in the product's home.
    Home,
    /// `~/.deepseek/mcp.json`, because the one in the home is not there.
    Legacy,
}

/// What the choice depends on.
pub struct LocateInputs<'i> {
    /// `--config`.
    pub flag: Option<&'i Path>,
    /// The environment.
    pub environment: &'i dyn Environment,
    /// The product's home.
    pub home: &'i Home,
    /// `mcp_config_path`.
    pub settings: Option<&'i Located<String>>,
    /// The working directory, which relative paths start at.
    pub base: &'i Path,
    /// Whether a file exists.
    pub exists: &'i dyn Fn(&Path) -> bool,
}

/// Finds the user's `mcp.json`: `--config`, else `CODEWHALE_MCP_CONFIG`, else `DEEPSEEK_MCP_CONFIG`, else
/// `mcp_config_path`, else `mcp.json` in the home; while that is absent and `CODEWHALE_HOME` is not set,
/// `~/.deepseek/mcp.json` if it exists.
pub fn locate(inputs: &LocateInputs<'_>) -> Result<ConfigPath, LocateError> {
    let chosen =
        |path: PathBuf, rule| ConfigPath { init_path: path.clone(), path, rule, unused_legacy: None };
    if let Some(flag) = inputs.flag {
        return Ok(chosen(inputs.base.join(flag), Rule::Flag));
    }
    for name in VARIABLES {
        if let Some(path) = set(inputs.environment, name) {
            return Ok(chosen(inputs.base.join(path), Rule::Variable(name)));
        }
    }
    if let Some(setting) = inputs.settings {
        let path = inputs.home.file("mcp_config_path", setting)?;
        return Ok(chosen(path, Rule::Settings(setting.place.clone())));
    }
    let ours = inputs.home.folder.join("mcp.json");
    let legacy = match (&inputs.home.user, inputs.home.named) {
        (Some(user), false) => Some(user.join(LEGACY)).filter(|legacy| (inputs.exists)(legacy)),
        _ => None,
    };
    Ok(match legacy {
        Some(path) if !(inputs.exists)(&ours) => {
            ConfigPath { path, rule: Rule::Legacy, init_path: ours, unused_legacy: None }
        }
        unused_legacy => ConfigPath { unused_legacy, ..chosen(ours, Rule::Home) },
    })
}

/// Every file that may count as the user's `mcp.json`, now or in another run, there or not.
pub fn candidates(inputs: &LocateInputs<'_>) -> Vec<PathBuf> {
    let setting = inputs.settings.and_then(|setting| inputs.home.file("mcp_config_path", setting).ok());
    let variables = VARIABLES.iter().filter_map(|name| set(inputs.environment, name));
    let user = inputs.home.user.iter();
    inputs
        .flag
        .map(|flag| inputs.base.join(flag))
        .into_iter()
        .chain(variables.map(|path| inputs.base.join(path)))
        .chain(setting)
        .chain([inputs.home.folder.join("mcp.json")])
        .chain(user.flat_map(|user| [".codewhale/mcp.json", LEGACY].map(|name| user.join(name))))
        .collect()
}

/// The workspace's own `mcp.json`.
pub fn project_file(workspace: &Path) -> PathBuf {
    workspace.join(".codewhale/mcp.json")
}

/// The workspace's own `config.toml`.
pub fn project_settings(workspace: &Path) -> PathBuf {
    workspace.join(".codewhale/config.toml")
}

/// The nearest folder above a workspace that has a project's own `mcp.json`, which does not count in the workspace.
/// The user's own file is none, and nothing above the user's home folder is looked at from within.
pub fn enclosing_project(workspace: &Path, home: &Home, exists: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let users = home.folder.join("mcp.json");
    let mut above = workspace.ancestors().skip(1).take_while(|folder| home.user.as_deref() != Some(*folder));
    let found = above.find(|folder| {
        let file = project_file(folder);
        file != users && exists(&file)
    });
    found.map(Path::to_owned)
}

/// Files that look like ours and stand where nobody reads them, of those that exist.
pub fn misplaced(workspace: &Path, home: &Home, exists: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let beside = [
        "mcp.json",
        ".mcp.json",
        ".claude/mcp.json",
        ".cursor/mcp.json",
        ".vscode/mcp.json",
        ".codewhale.json",
    ];
    let mut candidates: Vec<PathBuf> = beside.iter().map(|name| workspace.join(name)).collect();
    if let Some(above) = workspace.parent() {
        candidates.extend([".codewhale/mcp.json", ".mcp.json", "mcp.json"].map(|name| above.join(name)));
    }
    candidates.extend(enclosing_project(workspace, home, exists).map(|folder| project_file(&folder)));
    candidates.push(workspace.join(".codewhale/mcp/mcp.json"));
    candidates.push(home.folder.join(".mcp.json"));
    candidates.push(home.folder.join("mcp/mcp.json"));
    if let Some(user) = &home.user {
        candidates.extend([".mcp.json", "mcp.json", ".claude/mcp.json"].map(|name| user.join(name)));
    }
    let read = [home.folder.join("mcp.json"), project_file(workspace)];
    let mut found: Vec<PathBuf> = Vec::new();
    for candidate in candidates {
        if !read.contains(&candidate) && !found.contains(&candidate) && exists(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// A variable that is set and not empty.
fn set(environment: &dyn Environment, name: &str) -> Option<OsString> {
    environment.variable(name).filter(|value| !value.is_empty())
}

fn expand_home(path: &str, user: Option<&Path>) -> PathBuf {
    match (path.strip_prefix('~'), user) {
        (Some(""), Some(user)) => user.to_owned(),
        (Some(rest), Some(user)) if rest.starts_with(['/', std::path::MAIN_SEPARATOR]) => {
            user.join(&rest[1..])
        }
        _ => PathBuf::from(path),
    }
}
