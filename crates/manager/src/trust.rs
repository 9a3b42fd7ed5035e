//! Which servers of which workspace the user has consented to.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codewhale_mcp_config::DefinitionHash;
use codewhale_mcp_store::{
    FolderError, Lock, LockError, Mode, ReadError, ReplaceError, create_private_folder, read_bounded, replace,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::instant::rfc3339;

/// The largest file that is read, in bytes.
const MAX_SIZE: u64 = 4 << 20;
/// The form of the file that we write and read.
const VERSION: u32 = 1;
/// How long another process that writes is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The file of consents, `$CODEWHALE_HOME/trust.json`. All calls block on the disk.
#[derive(Debug, Clone)]
pub struct TrustStore {
    path: PathBuf,
}

/// Consents as they were read. A consent is bound to the workspace (its path behind all links), the server's name and
/// the hash of its definition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consents {
    version: u32,
    workspaces: BTreeMap<String, BTreeMap<String, Consent>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Consent {
    /// Of the definition that was consented to.
    hash: String,
    /// When.
    time: String,
}

/// How a server of a workspace stands with the user. Only a trusted one may be started, expanded or contacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The user consented to exactly this definition.
    Trusted,
    /// The user was not asked, or did not consent.
    New,
    /// The user consented to another definition of this name.
    Changed,
}

impl Standing {
    /// `trusted`, `new` or `changed`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::New => "new",
            Self::Changed => "changed",
        }
    }
}

/// Consents could not be read or changed. Nothing counts as trusted then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrustError {
    /// The file makes no sense. It is left alone: to begin anew, move it away and consent again.
    #[error("`{}` cannot be understood ({reason}); move it away and trust your workspaces again", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ReplaceError),
    /// The file's folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Another process holds the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The workspace does not exist or cannot be reached.
    #[error("cannot resolve the workspace `{}`", workspace.display())]
    BadWorkspace {
        /// The workspace.
        workspace: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl TrustStore {
    /// The file at `path`, which need not exist.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every consent; none if there is no file.
    pub fn load(&self) -> Result<Consents, TrustError> {
        let bytes = match read_bounded(&self.path, MAX_SIZE) {
            Ok(bytes) => bytes,
            Err(ReadError::Missing { .. }) => {
                return Ok(Consents { version: VERSION, ..Consents::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let corrupt = |reason| TrustError::Corrupt { path: self.path.clone(), reason };
        let consents: Consents =
            serde_json::from_slice(&bytes).map_err(|error| corrupt(error.to_string()))?;
        match consents.version {
            VERSION => Ok(consents),
            other => Err(corrupt(format!("its version is {other}, not {VERSION}"))),
        }
    }

    /// Consents to servers of a workspace, each by name and definition. Other consents stay.
    pub fn trust(
        &self,
        workspace: &Path,
        servers: &[(&str, &DefinitionHash)],
        now: SystemTime,
    ) -> Result<(), TrustError> {
        let key = key(workspace)?;
        self.change(|consents| {
            let known = consents.workspaces.entry(key).or_default();
            for (name, hash) in servers {
                let consent = Consent { hash: hash.as_str().to_owned(), time: rfc3339(now) };
                known.insert((*name).to_owned(), consent);
            }
        })
    }

    /// Withdraws every consent of a workspace and says how many there were. The workspace need not exist any more.
    pub fn untrust(&self, workspace: &Path) -> Result<usize, TrustError> {
        let key = key(workspace).unwrap_or_else(|_| text(workspace));
        let mut withdrawn = 0;
        self.change(|consents| {
            withdrawn = consents.workspaces.remove(&key).map_or(0, |servers| servers.len());
        })?;
        Ok(withdrawn)
    }

    fn change(&self, change: impl FnOnce(&mut Consents)) -> Result<(), TrustError> {
        create_private_folder(self.path.parent().unwrap_or(&self.path))?;
        let lock = Lock::acquire(&self.path, PATIENCE)?;
        let before = self.load()?;
        let mut consents = before.clone();
        change(&mut consents);
        if consents != before {
            let mut bytes = serde_json::to_vec_pretty(&consents).expect("names and hashes have a JSON form");
            bytes.push(b'\n');
            lock.remove_leftovers();
            replace(&self.path, &bytes, Mode::Private)?;
        }
        Ok(())
    }
}

impl Consents {
    /// Whether the user ever consented to a server of this workspace, whatever its file says now.
    #[must_use]
    pub fn knows(&self, workspace: &Path) -> bool {
        key(workspace).is_ok_and(|key| self.workspaces.contains_key(&key))
    }

    /// How a server of a workspace stands. A workspace that cannot be resolved is one nobody consented to.
    #[must_use]
    pub fn standing(&self, workspace: &Path, server: &str, hash: &DefinitionHash) -> Standing {
        let known = key(workspace).ok().and_then(|key| self.workspaces.get(&key)?.get(server));
        match known {
            Some(consent) if consent.hash == hash.as_str() => Standing::Trusted,
            Some(_) => Standing::Changed,
            None => Standing::New,
        }
    }
}

/// A workspace by its path behind all links.
fn key(workspace: &Path) -> Result<String, TrustError> {
    match workspace.canonicalize() {
        Ok(path) => Ok(text(&path)),
        Err(source) => Err(TrustError::BadWorkspace { workspace: workspace.to_owned(), source }),
    }
}

/// A path as text; bytes that are not UTF-8 keep paths apart.
fn text(path: &Path) -> String {
    path.to_str().map_or_else(|| format!("{path:?}"), str::to_owned)
}
