//! Why a process could not be started.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// A process could not be started. Nothing of it is left behind.
///
/// Neither arguments nor environment values other than `PATH` are ever part of it, and that one is not printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// No such program.
    #[error("program {program:?} not found{}", searched(path.as_ref(), tried))]
    ProgramNotFound {
        /// The program as it was asked for.
        program: OsString,
        /// The `PATH` that was searched; `None` if the program was given as a path.
        path: Option<OsString>,
        /// Every file that was looked for, in order.
        tried: Vec<PathBuf>,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
    },
    /// The program is a directory.
    #[error("program {program:?} is a directory{}", elsewhere(program, resolved))]
    ProgramIsDirectory {
        /// The program as it was asked for.
        program: OsString,
        /// Where it was found.
        resolved: PathBuf,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
    },
    /// The program is there, but this user may not execute it.
    #[error("program {program:?} is not executable{}", elsewhere(program, resolved))]
    ProgramNotExecutable {
        /// The program as it was asked for.
        program: OsString,
        /// Where it was found.
        resolved: PathBuf,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
    },
    /// The program is a script whose interpreter is missing, be it named by a path or through `env`.
    #[error("script {script:?} needs {interpreter:?}, not found{}", searched(path.as_ref(), &[]))]
    InterpreterNotFound {
        /// The script, where it was found.
        script: PathBuf,
        /// The interpreter that its first line asks for.
        interpreter: OsString,
        /// The `PATH` that was searched; `None` if the interpreter was named by a path.
        path: Option<OsString>,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
    },
    /// The working directory does not exist.
    #[error("working directory {cwd:?} does not exist")]
    CwdNotFound {
        /// The working directory asked for.
        cwd: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The working directory is something else.
    #[error("working directory {cwd:?} is not a directory")]
    CwdNotDirectory {
        /// The working directory asked for.
        cwd: PathBuf,
    },
    /// The working directory cannot be entered.
    #[error("working directory {cwd:?} cannot be entered")]
    CwdDenied {
        /// The working directory asked for.
        cwd: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The system refused for another reason.
    #[error("cannot start {program:?} ({resolved:?}{})", within(cwd.as_ref()))]
    System {
        /// The program as it was asked for.
        program: OsString,
        /// Where it was found.
        resolved: PathBuf,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
        /// The system's answer.
        source: io::Error,
    },
}

/// Where a program was found, unless that is how it was asked for.
fn elsewhere(program: &OsStr, resolved: &Path) -> String {
    if program == resolved.as_os_str() { String::new() } else { format!(": {resolved:?}") }
}

fn searched(path: Option<&OsString>, tried: &[PathBuf]) -> String {
    match (path, tried) {
        (Some(_), _) => format!(" on PATH{}", spelled(tried)),
        (None, [only]) => format!(" at {only:?}"),
        (None, _) => String::new(),
    }
}

/// The names that were looked for, where there were several: on some systems a program has an extension.
fn spelled(tried: &[PathBuf]) -> String {
    let mut names: Vec<&OsStr> = Vec::new();
    for name in tried.iter().filter_map(|file| file.file_name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() < 2 { String::new() } else { format!(", tried {}", listed(&names)) }
}

fn listed(names: &[&OsStr]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn within(cwd: Option<&PathBuf>) -> String {
    cwd.map(|cwd| format!(" in {cwd:?}")).unwrap_or_default()
}
