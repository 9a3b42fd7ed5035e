//! Credentials in a real gnome-keyring, each check in a session of its own.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::timeout;

use crate::check::{Check, Outcome, checks};
use crate::expect::holds;
use crate::world::{MARK, World};

/// The argument that makes this program do what is to be done in such a session.
pub(crate) const TRIAL: &str = "--keyring";

/// Far more than a session takes.
const LONGEST: Duration = Duration::from_secs(120);

/// Opens the keyring as a login does: its password comes in by standard input and must not be empty.
pub(crate) const UNLOCK: &str =
    "printf '%s' correct-horse | gnome-keyring-daemon --unlock --components=secrets >unlocked";

pub(crate) fn checks() -> Vec<Check> {
    checks!["gnome-keyring";
        keeps_what_is_written_for_another_process,
        loses_no_change_of_four_processes,
        is_an_error_when_it_is_locked_and_nothing_goes_to_a_file,
        is_none_when_nobody_set_it_up,
        is_none_without_a_session,
    ]
}

async fn keeps_what_is_written_for_another_process(world: &World) -> Outcome {
    let session = Session::new(world)?;
    session.with_bus(&format!("{UNLOCK} && trial write && trial read")).await?;
    holds("nothing is in a file", !session.file().exists())?;
    session.shows_nothing()
}

async fn loses_no_change_of_four_processes(world: &World) -> Outcome {
    let session = Session::new(world)?;
    let four = "for one in 1 2 3 4; do trial count & done; wait";
    session.with_bus(&format!("{UNLOCK} && {{ {four}; }} && trial counted")).await
}

async fn is_an_error_when_it_is_locked_and_nothing_goes_to_a_file(world: &World) -> Outcome {
    let session = Session::new(world)?;
    session.with_bus(&format!("{UNLOCK} && trial write")).await?;
    session.with_bus("trial locked").await?;
    holds("nothing is in a file", !session.file().exists())
}

async fn is_none_when_nobody_set_it_up(world: &World) -> Outcome {
    let session = Session::new(world)?;
    session.with_bus("trial absent").await?;
    session.is_in_a_private_file()
}

async fn is_none_without_a_session(world: &World) -> Outcome {
    let session = Session::new(world)?;
    session.run("/bin/sh", &[], "trial absent").await?;
    session.is_in_a_private_file()
}

/// A home that nobody was in before.
struct Session {
    home: TempDir,
    mark: String,
}

impl Session {
    fn new(world: &World) -> Result<Self, String> {
        Ok(Self { home: world.folder()?, mark: world.mark.clone() })
    }

    fn file(&self) -> std::path::PathBuf {
        self.home.path().join("auth/credentials.json")
    }

    /// Runs a script with a bus that starts what it is asked for, as desktops do.
    async fn with_bus(&self, script: &str) -> Outcome {
        self.run("dbus-run-session", &["--", "/bin/sh"], script).await
    }

    async fn run(&self, program: &str, arguments: &[&str], script: &str) -> Outcome {
        let this = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let script = format!("trial() {{ \"$0\" {TRIAL} \"$1\" \"$HOME/auth\"; }}; {script}");
        let mut command = Command::new(program);
        command.args(arguments).args(["-c", &script]).arg(this).env_clear().current_dir(self.home.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin")));
        command.env("HOME", self.home.path()).env("XDG_RUNTIME_DIR", self.home.path()).env(MARK, &self.mark);
        command.stdin(Stdio::null()).kill_on_drop(true);
        let output = timeout(LONGEST, command.output()).await;
        let output = output.map_err(|_| format!("it took longer than {} s", LONGEST.as_secs()))?;
        let output = output.map_err(|error| format!("cannot run {program}: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// Neither what is kept nor the URL it is kept for stands anywhere in the open.
    fn shows_nothing(&self) -> Outcome {
        let mut files = 0;
        let mut folders = vec![self.home.path().to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.is_file() {
                    let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
                    for secret in ["at-1", "in-the-url", "0123456789abcdef"] {
                        let shown = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
                        holds(&format!("{} does not show {secret}", path.display()), !shown)?;
                    }
                    files += 1;
                }
            }
        }
        holds("the keyring has its file", files > 0)
    }

    fn is_in_a_private_file(&self) -> Outcome {
        let mode = mode(&self.file())?;
        holds(&format!("the file's mode is 0600: {mode:o}"), mode == 0o600)
    }
}

fn mode(file: &Path) -> Result<u32, String> {
    use std::os::unix::fs::PermissionsExt as _;

    let metadata = std::fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(metadata.permissions().mode() & 0o777)
}
