//! What is configured for this run: every file that counts, merged, and what does not count.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use codewhale_mcp_config::{
    ConfigPath, Entry, FileError, Home, LocateInputs, McpFile, Merged, MergedServer, Rule, Scope, Settings,
    candidates, load_flags, locate, project_file,
};
use codewhale_mcp_manager::{TrustStore, suggest};

use crate::failure::Failure;
use crate::run::Run;
use crate::trusted::{Skipped, sift};
use crate::world::variable;

/// The user's folders and settings, before any server is looked at.
pub(crate) struct Place {
    pub(crate) home: Home,
    pub(crate) settings: Settings,
    pub(crate) config: ConfigPath,
    /// Every file that may count as the user's, now or in another run.
    pub(crate) candidates: Vec<PathBuf>,
    /// Absolute.
    pub(crate) workspace: PathBuf,
}

impl Place {
    pub(crate) fn find(run: &Run) -> Result<Self, Failure> {
        let world = &run.world;
        let environment = |name: &str| world.variable(name);
        let home = Home::find(&environment, world.home.as_deref(), &world.cwd)?;
        let settings = Settings::read(&home.settings(), Scope::User)?;
        let inputs = LocateInputs {
            flag: run.global.config.as_deref(),
            environment: &environment,
            home: &home,
            settings: settings.mcp_config_path.as_ref(),
            base: &world.cwd,
            exists: &Path::exists,
        };
        let (config, candidates) = (locate(&inputs)?, candidates(&inputs));
        let workspace = workspace(run, run.global.workspace.as_deref())?;
        Ok(Self { home, settings, config, candidates, workspace })
    }

    pub(crate) fn trust_store(&self) -> TrustStore {
        TrustStore::new(self.home.folder.join("trust.json"))
    }
}

/// A workspace that was named, or the working directory.
pub(crate) fn workspace(run: &Run, named: Option<&Path>) -> Result<PathBuf, Failure> {
    let Some(named) = named else { return Ok(run.world.cwd.clone()) };
    let workspace = run.world.cwd.join(named);
    match workspace.metadata() {
        Ok(found) if found.is_dir() => Ok(workspace),
        Ok(_) => Err(Failure::usage(format!("the workspace `{}` is not a folder", workspace.display()))),
        Err(error) => {
            Err(Failure::usage(format!("cannot use the workspace `{}`: {error}", workspace.display())))
        }
    }
}

/// Every server that counts, and everything worth knowing about those that do not.
pub(crate) struct Configured {
    pub(crate) place: Place,
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Whether the user's file is there; `None` if it is not asked for.
    pub(crate) user: Option<UserFile>,
    pub(crate) merged: Merged,
    pub(crate) skipped: Vec<Skipped>,
    /// What is odd or wrong outside of the servers.
    pub(crate) warnings: Vec<String>,
}

/// Whether the user's file is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserFile {
    Read,
    Missing,
}

impl Configured {
    /// Reads every file that counts. A file that makes no sense is a failure, never empty.
    pub(crate) fn load(run: &Run) -> Result<Self, Failure> {
        let place = Place::find(run)?;
        let mut warnings: Vec<String> = place.settings.warnings.iter().map(ToString::to_string).collect();
        let mut files = load_flags(&run.global.mcp_config, &place.workspace, &run.world.cwd)?;
        let (mut user, mut skipped) = (None, Vec::new());
        let sources = run.global.sources;
        if !run.global.strict_mcp_config && sources.user {
            let (file, state) = user_file(&place.config)?;
            user = Some(state);
            files.extend(file);
        }
        if !run.global.strict_mcp_config && sources.project {
            let (file, left_out, warning) = project(&place)?;
            warnings.extend(warning);
            skipped = left_out;
            files.extend(file);
        }
        for file in &files {
            warnings.extend(file.problems.iter().map(ToString::to_string));
            warnings.extend(file.warnings.iter().map(ToString::to_string));
        }
        let merged = Merged::new(files);
        warnings.extend(merged.warnings.iter().map(ToString::to_string));
        let counting = merged.servers.iter().map(|server| server.entry.name.clone());
        run.printer.spare(counting.chain(skipped.iter().map(|skipped| skipped.entry.name.clone())));
        Ok(Self { place, environment: run.world.environment.clone(), user, merged, skipped, warnings })
    }

    /// The server of that name, if it counts.
    pub(crate) fn server(&self, name: &str) -> Result<&MergedServer, Failure> {
        if let Some(server) = self.merged.server(name) {
            return Ok(server);
        }
        if let Some(skipped) = self.skipped.iter().find(|skipped| skipped.entry.name == name) {
            return Err(Failure::NotTrusted { name: name.to_owned(), standing: skipped.standing });
        }
        let names = self.merged.servers.iter().map(|server| server.entry.name.as_str());
        Err(Failure::UnknownServer {
            near: suggest(name, names).into_iter().map(ToOwned::to_owned).collect(),
            name: name.to_owned(),
            read: self.user.map(|_| self.place.config.path.clone()),
        })
    }

    /// A server of that name that nobody agreed to.
    pub(crate) fn skipped(&self, name: &str) -> Option<Entry> {
        let skipped = self.skipped.iter().find(|skipped| skipped.entry.name == name)?;
        Some(skipped.entry.clone())
    }

    /// The value of an environment variable.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        variable(&self.environment, name)
    }
}

fn user_file(config: &ConfigPath) -> Result<(Option<McpFile>, UserFile), Failure> {
    match McpFile::read(&config.path, Scope::User) {
        Ok(file) => Ok((Some(file), UserFile::Read)),
        // A file that was named must be there.
        Err(error) if error.is_missing() && config.rule != Rule::Flag => Ok((None, UserFile::Missing)),
        Err(error) => Err(error.into()),
    }
}

type Project = (Option<McpFile>, Vec<Skipped>, Option<String>);

/// The workspace's own file, without what nobody agreed to. One that makes no sense stops us only where something of
/// the workspace is trusted: a stranger's folder is not to break the user's own servers.
fn project(place: &Place) -> Result<Project, Failure> {
    let path = project_file(&place.workspace);
    if path == place.config.path {
        return Ok((None, Vec::new(), None));
    }
    let mut file = match McpFile::read(&path, Scope::Project) {
        Ok(file) => file,
        Err(error) if error.is_missing() => return Ok((None, Vec::new(), None)),
        Err(error) => return unusable_project(place, error),
    };
    let consents = place.trust_store().load()?;
    let skipped = sift(&mut file, &consents, &place.workspace);
    let file = (!file.entries.is_empty() || skipped.is_empty()).then_some(file);
    Ok((file, skipped, None))
}

fn unusable_project(place: &Place, error: FileError) -> Result<Project, Failure> {
    if place.trust_store().load()?.knows(&place.workspace) {
        return Err(error.into());
    }
    Ok((
        None,
        Vec::new(),
        Some(format!("the workspace's own file is not trusted and makes no sense: {error}")),
    ))
}
