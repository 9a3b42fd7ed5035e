//! Starts a process in a group of its own.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use crate::family::Family;
use crate::lookup::{Miss, RealFiles, Rules, Search, find};
use crate::pipes::{Laid, Pipes, Stdin, Stdout};
use crate::process::Process;
use crate::script::{Missing, missing_interpreter};
use crate::stderr::{Drain, StderrSink, Tail};
use crate::watcher::{Facts, Watcher};
use crate::{Guard, Launch, Reach, SPAWN_VARIABLE, SpawnError};

/// What surrounds a process, beside what it is.
#[derive(Clone, Default)]
pub struct Setup {
    /// How its streams are made.
    pub pipes: Pipes,
    /// Who ends it if this program is killed.
    pub guard: Guard,
    /// Whom its end takes along.
    pub reach: Reach,
    /// Who sees each line of its standard error, if anybody.
    pub stderr: Option<Arc<dyn StderrSink>>,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("pipes", &self.pipes)
            .field("guard", &self.guard)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

/// A process that has been started, and our ends of its streams.
#[non_exhaustive]
pub struct Spawned {
    /// Where its standard input comes from.
    pub stdin: Stdin,
    /// Where its standard output goes.
    pub stdout: Stdout,
    /// The process itself.
    pub process: Process,
}

/// Starts a process as the leader of a new process group.
///
/// It gets `launch.env` and nothing else; with a [`Guard`], [`SPAWN_VARIABLE`] is added.
///
/// # Errors
/// [`SpawnError`] tells what is wrong with the program, its interpreter or the working directory.
///
/// # Panics
/// Outside a tokio runtime that drives I/O and time.
pub fn spawn(launch: &Launch, setup: &Setup) -> Result<Spawned, SpawnError> {
    let resolved = likely(launch)?;
    let system = |source| refused(launch, &resolved, source);

    let mut command = command(launch, &resolved);
    let laid = Laid::into(setup.pipes, &mut command).map_err(system)?;
    let intent = setup.guard.intend();
    if let Some(token) = intent.token() {
        command.env(SPAWN_VARIABLE, token);
    }
    let mut child =
        command.spawn().map_err(|source| resolve(launch).err().unwrap_or_else(|| system(source)))?;
    // The child's ends of the pipes must be its alone, or nobody would ever see them close.
    drop(command);

    let pid = child.id();
    let record = intent.started(pid, setup.reach);
    let ends = laid.ends(&mut child);
    let family = Family::new(child, record).map_err(system)?;
    let ends = ends.map_err(system)?;

    let tail = Arc::new(Mutex::new(Tail::default()));
    let (orders, ordered) = watch::channel(None);
    let (found, facts) = watch::channel(Facts::default());
    let drain = Drain::new(ends.stderr, Arc::clone(&tail), setup.stderr.clone());
    let mut watcher = Watcher { family, drain, orders: ordered, facts: found };
    tokio::spawn(async move { watcher.run().await });
    Ok(Spawned { stdin: ends.stdin, stdout: ends.stdout, process: Process::new(pid, orders, facts, tail) })
}

/// The file that will be started. A name that can mean but one file is not looked at before the system has refused it,
/// because every look walks the whole path: only what a script runs through `env` cannot be told afterwards.
fn likely(launch: &Launch) -> Result<PathBuf, SpawnError> {
    if !(cfg!(unix) && launch.program.as_encoded_bytes().contains(&b'/')) {
        return resolve(launch);
    }
    let program = Path::new(&launch.program);
    let place = launch.cwd.as_ref().map_or_else(|| program.to_path_buf(), |cwd| cwd.join(program));
    // Something that is worse may be wrong with it too.
    started(launch, place).or_else(|_| resolve(launch))
}

/// Finds the program, having looked at everything whose absence the system would report in the same words.
pub(crate) fn resolve(launch: &Launch) -> Result<PathBuf, SpawnError> {
    check_cwd(launch.cwd.as_deref())?;
    let (program, path, cwd) = (&launch.program, launch.variable("PATH"), launch.cwd.as_deref());
    let rules =
        if cfg!(windows) { Rules::Windows { pathext: launch.variable("PATHEXT") } } else { Rules::Unix };
    find(&Search { program, path, cwd, rules }, &RealFiles)
        .map_err(|miss| {
            let (program, cwd) = (program.clone(), launch.cwd.clone());
            match miss {
                Miss::NotFound { path, tried } => SpawnError::ProgramNotFound { program, path, tried, cwd },
                Miss::Directory(resolved) => SpawnError::ProgramIsDirectory { program, resolved, cwd },
                Miss::NotExecutable(resolved) => SpawnError::ProgramNotExecutable { program, resolved, cwd },
            }
        })
        .and_then(|found| started(launch, found))
}

/// A file as the system is told of it, if it lacks no interpreter.
fn started(launch: &Launch, found: PathBuf) -> Result<PathBuf, SpawnError> {
    let (path, cwd) = (launch.variable("PATH"), launch.cwd.as_deref());
    if cfg!(unix)
        && let Some(Missing { interpreter, path }) = missing_interpreter(&found, path, cwd, &RealFiles)
    {
        let cwd = launch.cwd.clone();
        return Err(SpawnError::InterpreterNotFound { script: found, interpreter, path, cwd });
    }
    // A relative path would count from the new working directory once more.
    std::path::absolute(&found).map_err(|source| refused(launch, &found, source))
}

/// A command with the launch's arguments, environment and working directory, in a process group of its own.
#[expect(clippy::disallowed_methods, reason = "this is the one place where processes are started")]
pub(crate) fn command(launch: &Launch, resolved: &Path) -> Command {
    let mut command = Command::new(resolved);
    command.args(&launch.args).env_clear().envs(launch.env.iter().map(|(name, value)| (name, value)));
    if let Some(cwd) = &launch.cwd {
        command.current_dir(cwd);
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // No `pre_exec`: it would rule out `posix_spawn`, which is several times faster.
        command.arg0(&launch.program).process_group(0);
    }
    command
}

fn check_cwd(cwd: Option<&Path>) -> Result<(), SpawnError> {
    let Some(cwd) = cwd else { return Ok(()) };
    let owned = || cwd.to_path_buf();
    match std::fs::metadata(cwd) {
        Ok(found) if !found.is_dir() => Err(SpawnError::CwdNotDirectory { cwd: owned() }),
        Ok(_) => enter(cwd).map_err(|source| SpawnError::CwdDenied { cwd: owned(), source }),
        Err(source) => Err(match source.kind() {
            io::ErrorKind::NotADirectory => SpawnError::CwdNotDirectory { cwd: owned() },
            io::ErrorKind::NotFound => SpawnError::CwdNotFound { cwd: owned(), source },
            _ => SpawnError::CwdDenied { cwd: owned(), source },
        }),
    }
}

#[cfg(unix)]
fn enter(cwd: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(cwd, rustix::fs::Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn enter(_cwd: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn refused(launch: &Launch, resolved: &Path, source: io::Error) -> SpawnError {
    SpawnError::System {
        program: launch.program.clone(),
        resolved: resolved.to_path_buf(),
        cwd: launch.cwd.clone(),
        source,
    }
}
