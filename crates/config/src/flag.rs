//! `--mcp-config PATH|JSON`.

use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use crate::json::ParseError;
use crate::{FileError, McpFile, Scope, Source};

/// Why a value of `--mcp-config` is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FlagError {
    /// The file lies outside the workspace.
    #[error("MCP config escapes the admitted Workspace: `{}` is not inside `{}`", path.display(), workspace.display())]
    Escapes {
        /// The file, behind all links.
        path: PathBuf,
        /// The workspace, behind all links.
        workspace: PathBuf,
    },
    /// The workspace is no folder that can be resolved.
    #[error("cannot resolve the workspace `{}`", workspace.display())]
    BadWorkspace {
        /// The workspace.
        workspace: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The path cannot be resolved, for another reason than a missing file.
    #[error("cannot resolve `{}`", path.display())]
    BadPath {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The JSON on the command line cannot be used.
    #[error(transparent)]
    Json(#[from] ParseError),
}

/// Reads the values of `--mcp-config`, in their order. One that starts with `{` is JSON, any other a path, which must
/// lie inside the workspace once both are resolved; a relative one starts at `base`, the working directory. Nothing is
/// read before every path is known to lie inside.
pub fn load_flags(values: &[String], workspace: &Path, base: &Path) -> Result<Vec<McpFile>, FlagError> {
    let admitted = values.iter().map(|value| match value.trim_start().starts_with('{') {
        true => Ok(None),
        false => admit(&base.join(value), workspace).map(Some),
    });
    let admitted: Vec<Option<PathBuf>> = admitted.collect::<Result<_, _>>()?;
    let load = |(at, (value, path)): (usize, (&String, Option<PathBuf>))| match path {
        Some(path) => Ok(McpFile::read(&path, Scope::Flag)?),
        None => {
            let label = match values.len() {
                1 => "--mcp-config JSON".to_owned(),
                _ => format!("--mcp-config JSON (number {})", at + 1),
            };
            Ok(McpFile::parse(value, &Source::label(&label, Scope::Flag))?)
        }
    };
    values.iter().zip(admitted).enumerate().map(load).collect()
}

/// The resolved path of a file inside the workspace.
fn admit(path: &Path, workspace: &Path) -> Result<PathBuf, FlagError> {
    let resolved_workspace = workspace
        .canonicalize()
        .map_err(|source| FlagError::BadWorkspace { workspace: workspace.to_owned(), source })?;
    let resolved = resolve(path).map_err(|source| FlagError::BadPath { path: path.to_owned(), source })?;
    match resolved.starts_with(&resolved_workspace) {
        true => Ok(resolved),
        false => Err(FlagError::Escapes { path: resolved, workspace: resolved_workspace }),
    }
}

/// Resolves a path as far as it exists, so that a missing file outside is told apart from a missing file inside.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let (Some(parent), Some(Component::Normal(name))) =
                (path.parent(), path.components().next_back())
            else {
                return Err(error);
            };
            Ok(resolve(parent)?.join(name))
        }
        resolved => resolved,
    }
}
