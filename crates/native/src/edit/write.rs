//! The tool `write_file`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{LONGEST, put, writable};
use crate::workspace::{Kind, Refused, Workspace, shown};
use crate::{Fault, Stop};

/// What `write_file` takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteFile {
    /// The file, relative to the workspace; its directory has to be there unless `create_directories` is true
    pub path: String,
    /// The whole text of the file, at most 8 MiB
    pub text: String,
    /// Whether a file that is there is replaced; otherwise that is an error
    #[serde(default)]
    pub overwrite: bool,
    /// Whether directories that are missing are made
    #[serde(default)]
    pub create_directories: bool,
}

/// What `write_file` answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileWritten {
    /// Where the file really is, relative to the workspace
    pub path: String,
    /// Its bytes
    pub size: u64,
    /// Whether there was none before
    pub created: bool,
}

/// Writes a whole file: all of it, or nothing.
///
/// # Errors
/// What a model can mend: a path that is not served, a file that is there already, a text that is too long.
pub fn write_file(workspace: &Workspace, asked: &WriteFile, stop: &Stop) -> Result<FileWritten, Fault> {
    let size = asked.text.len() as u64;
    if size > LONGEST {
        return Err(Fault::TooLarge { what: "the text".to_owned(), bytes: size, limit: LONGEST });
    }
    let _one = workspace.writing();
    stop.check()?;
    if asked.create_directories {
        workspace.create_above(&asked.path)?;
    }
    let place = writable(workspace, &asked.path).map_err(|fault| match fault {
        // A file that is not there is fine, so it is what is above.
        Fault::Refused(Refused::NotFound { path }) => Fault::NoDirectory { path },
        other => other,
    })?;
    let there = place.kind == Some(Kind::File);
    if there && !asked.overwrite {
        return Err(Fault::Exists { path: asked.path.clone() });
    }
    let seen = place.seen().map_err(Fault::system("write", &asked.path))?;
    if seen.is_some() != there {
        return Err(Fault::Changed { path: asked.path.clone() });
    }
    put(&place, &asked.path, seen.as_ref(), &asked.text)?;
    Ok(FileWritten { path: shown(&place.path), size, created: !there })
}
