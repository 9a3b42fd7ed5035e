//! The outside as a value.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use codewhale_mcp_auth::browser::Opener;
use codewhale_mcp_auth::store::keyring::{Vault, VaultError};
use codewhale_mcp_manager::NetworkParts;

use super::{Output, Person, Signals};

/// Whose standard input and output are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// Those of this process: a server uses them without anything in between, and ends with whoever started it.
    Process,
    /// Somebody else's.
    Given,
}

/// Opens a keyring, or says why there is none.
pub type OpenKeyring = dyn Fn() -> Result<Arc<dyn Vault>, VaultError> + Send + Sync;

/// Everything that a run sees of the outside. Nothing else of it is looked at, save files below the paths named here.
pub struct World {
    /// The complete environment; of two entries with one name the last wins.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// Where files that nobody asked for by name are put.
    pub temp: PathBuf,
    /// The file of this program, which is started again as the guard of its child processes. Without it they have
    /// none.
    pub program: Option<PathBuf>,
    /// Standard input.
    pub stdin: Box<dyn Read + Send>,
    /// Whose these streams are.
    pub streams: Streams,
    /// Standard output: data.
    pub stdout: Output,
    /// Standard error: talk.
    pub stderr: Output,
    /// Whoever can be asked; `None` in a script.
    pub person: Option<Box<dyn Person>>,
    /// How names are looked up and connections made.
    pub network: NetworkParts,
    /// Opens the system's keyring. It blocks.
    pub keyring: Arc<OpenKeyring>,
    /// Opens addresses in a browser.
    pub browser: Arc<dyn Opener>,
    /// The time of day.
    pub clock: fn() -> SystemTime,
    /// Wishes that we stop.
    pub signals: Signals,
}

impl World {
    /// The value of an environment variable.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<OsString> {
        variable(&self.environment, name)
    }
}

/// The value of a variable in a complete environment.
pub(crate) fn variable(environment: &[(OsString, OsString)], name: &str) -> Option<OsString> {
    let same = |key: &OsStr| {
        if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == OsStr::new(name) }
    };
    environment.iter().rev().find(|(key, _)| same(key)).map(|(_, value)| value.clone())
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("cwd", &self.cwd)
            .field("home", &self.home)
            .field("stdout", &self.stdout)
            .field("stderr", &self.stderr)
            .finish_non_exhaustive()
    }
}
