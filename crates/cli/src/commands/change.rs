//! `mcp remove`, `mcp enable`, `mcp disable`: one entry, in the file where it stands.

use std::path::PathBuf;

use codewhale_mcp_config::edit::{EditError, EditFileError, Outcome, Switch, edit_file, remove, switch};
use codewhale_mcp_config::{McpFile, Scope, load_flags, project_file};
use serde::Serialize;

use super::add::change_word;
use super::login::{Forgettable, Forgotten};
use crate::args::NamedEntryArgs;
use crate::configured::Place;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::Line;
use crate::run::Run;

/// What is to happen to an entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Remove,
    Enable,
    Disable,
}

#[derive(Serialize)]
struct Changed<'a> {
    name: &'a str,
    path: String,
    scope: &'static str,
    change: &'static str,
    /// What became of the login of a server that is removed: `deleted`, `kept` where that failed; nothing where there was
    /// none.
    login: Option<&'static str>,
}

pub(super) fn change(run: &mut Run, args: &NamedEntryArgs, change: Change) -> Result<Exit, Failure> {
    let place = Place::find(run)?;
    let (path, scope) = whereabouts(run, &place, args);
    let name = args.name.as_str();
    let login = match change {
        Change::Remove => Forgettable::find(run, name, scope),
        Change::Enable | Change::Disable => None,
    };
    let outcome = edit_file(&path, scope, |text, source| match change {
        Change::Remove => remove(text, source, name),
        Change::Enable => switch(text, source, name, Switch::On),
        Change::Disable => switch(text, source, name, Switch::Off),
    });
    let outcome = outcome.map_err(|error| refused(run, &place, name, error))?;
    if run.global.json {
        let login = login.and_then(|login| login.forget(run)).map(Forgotten::as_str);
        let (path, scope) = (path.to_string_lossy().into_owned(), scope.as_str());
        run.printer.json(&Changed { name, path, scope, change: change_word(outcome), login })?;
        return Ok(Exit::Ok);
    }
    let (done, already) = match change {
        Change::Remove => ("removed ", "not there: "),
        Change::Enable => ("enabled ", "already on: "),
        Change::Disable => ("disabled ", "already off: "),
    };
    let verb = if outcome == Outcome::Unchanged { already } else { done };
    run.printer.line(Line::new().plain(verb).bold(name).plain(format!(" in {}", path.display())))?;
    if let Some(login) = login {
        login.forget(run);
    }
    Ok(Exit::Ok)
}

/// What is wrong; a server of `--mcp-config` has no place that could be changed.
fn refused(run: &Run, place: &Place, name: &str, error: EditFileError) -> Failure {
    let unknown = matches!(error, EditFileError::Refused(EditError::Unknown { .. }));
    let given = load_flags(&run.global.mcp_config, &place.workspace, &run.world.cwd).unwrap_or_default();
    match unknown && given.iter().any(|file| file.entry(name).is_some()) {
        true => Failure::OnlyOnCommandLine { name: name.to_owned() },
        false => error.into(),
    }
}

/// The file that holds the entry: the user's, unless only the workspace's own does or that one is asked for.
fn whereabouts(run: &Run, place: &Place, args: &NamedEntryArgs) -> (PathBuf, Scope) {
    let project = project_file(&place.workspace);
    let holds =
        |path: &PathBuf, scope| McpFile::read(path, scope).is_ok_and(|file| file.entry(&args.name).is_some());
    if args.project {
        return (project, Scope::Project);
    }
    let in_project = project != place.config.path && holds(&project, Scope::Project);
    // A file that cannot be used is not passed over: the edit itself says what is wrong with it.
    let in_user = match McpFile::read(&place.config.path, Scope::User) {
        Ok(file) => file.entry(&args.name).is_some(),
        Err(error) => !error.is_missing(),
    };
    match (in_user, in_project) {
        (false, true) => (project, Scope::Project),
        (true, true) => {
            run.printer
                .note(format!("{} has a server of that name too; --project chooses it", project.display()));
            (place.config.path.clone(), Scope::User)
        }
        _ => (place.config.path.clone(), Scope::User),
    }
}
