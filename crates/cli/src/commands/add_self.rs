//! `mcp add-self`: this program as a server.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use codewhale_mcp_config::edit::{Definition, Draft, EditError, EditFileError};
use codewhale_native::Permit;

use super::add::{Target, check_name, write};
use crate::args::AddSelfArgs;
use crate::configured::{Place, workspace};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;
use crate::served::allowed;

pub(super) fn add_self(run: &Run, args: &AddSelfArgs) -> Result<Exit, Failure> {
    check_name(&args.name)?;
    let mut words = vec!["serve".to_owned(), "--mcp".to_owned()];
    let named = run.global.workspace.as_deref();
    let cwd = named.map(|named| workspace(run, Some(named))).transpose()?;
    let cwd = cwd.map(|folder| text(&plain(&folder), "the workspace")).transpose()?;
    if let Some(folder) = &cwd {
        words.extend(["--workspace".to_owned(), folder.clone()]);
    }
    let allow: Vec<&str> = allowed(&args.allow)?.into_iter().map(Permit::name).collect();
    if !allow.is_empty() {
        words.extend(["--allow".to_owned(), allow.join(",")]);
    }
    let draft =
        Draft { command: Some(text(&program(run)?, "this program")?), args: words, cwd, ..Draft::default() };
    let target = Target { project: false, force: false, typed: false };
    let exit =
        write(run, &args.name, &Definition::from(&draft), target).map_err(|failure| match failure {
            Failure::Edit(error @ EditFileError::Refused(EditError::Exists { .. })) => {
                Failure::NameTaken { name: args.name.clone(), told: error.to_string() }
            }
            other => other,
        })?;
    if allow.is_empty() && Place::find(run)?.settings.mcp_server.allow.is_empty() && !run.global.json {
        run.printer.note(format!(
            "its tools only read; {} change something once `[mcp_server] allow` in config.toml, or --allow, names them",
            Permit::ALL.map(Permit::name).join(", ")
        ));
    }
    Ok(exit)
}

/// Where this program is, as it was called: a link to it stays a link, so that the server is the program that the link
/// leads to one day.
fn program(run: &Run) -> Result<PathBuf, Failure> {
    let (world, called) = (&run.world, Path::new(&run.called));
    let has_folder = called.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let candidates: Vec<PathBuf> = match has_folder {
        true => vec![world.cwd.join(called)],
        false => on_path(world.variable("PATH").as_deref(), called),
    };
    let real = |path: &Path| path.canonicalize().ok();
    let known = world.program.as_deref();
    let ours = |path: &PathBuf| match known.and_then(real) {
        Some(known) => real(path) == Some(known),
        None => path.is_file(),
    };
    let found = candidates.into_iter().find(ours).or_else(|| known.map(Path::to_path_buf));
    let found =
        found.ok_or_else(|| Failure::usage("where this program is cannot be told; add it with `mcp add`"))?;
    Ok(plain(&found))
}

fn on_path(path: Option<&OsStr>, name: &Path) -> Vec<PathBuf> {
    let folders = path.map(|path| std::env::split_paths(path).collect::<Vec<_>>()).unwrap_or_default();
    folders.into_iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).collect()
}

/// An absolute path without what means nothing in it.
fn plain(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A path as it can stand in a definition.
fn text(path: &Path, what: &str) -> Result<String, Failure> {
    let bad = |why| Failure::usage(format!("the path of {what} {why}: {}", path.display()));
    let text = path.to_str().ok_or_else(|| bad("is not UTF-8"))?;
    if text.contains("${") {
        return Err(bad("would be read as one with a variable"));
    }
    Ok(text.to_owned())
}
