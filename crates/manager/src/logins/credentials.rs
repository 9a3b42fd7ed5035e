//! Where credentials are kept.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use codewhale_mcp_auth::credentials::CredentialStore;
use codewhale_mcp_auth::store::{Hear, InFile, Noted, Notes};
use codewhale_mcp_auth::{RealWorld, World};
use codewhale_mcp_redact::Secret;

/// Where credentials are kept, and who has to know of them.
#[derive(Clone)]
pub struct Credentials {
    /// The store.
    pub store: Arc<dyn CredentialStore>,
    /// What is known without a look into it.
    pub notes: Notes,
    /// Hears of each secret that comes up, to hide it in what is shown. The logs do so in any case.
    pub hear: Arc<Hear>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("store", &self.store).finish_non_exhaustive()
    }
}

impl Credentials {
    /// The folder below `$CODEWHALE_HOME` that files of credentials, their locks and the notes are in.
    #[must_use]
    pub fn folder(home: &Path) -> PathBuf {
        home.join("credentials")
    }

    /// In a file that only its owner may read.
    #[must_use]
    pub fn in_file(home: &Path) -> Self {
        Self::new(home, Arc::new(InFile::new(Self::folder(home))))
    }

    /// In a store of its own.
    #[must_use]
    pub fn new(home: &Path, store: Arc<dyn CredentialStore>) -> Self {
        Self { store, notes: Notes::beside(Self::folder(home)), hear: Arc::new(|_| ()) }
    }

    /// The store, whose secrets are also told to somebody else.
    pub(super) fn telling(&self, also: impl Fn(&Secret<String>) + Send + Sync + 'static) -> Arc<Noted> {
        let hear = Arc::clone(&self.hear);
        let noted = Noted::new(Arc::clone(&self.store), self.notes.clone());
        Arc::new(noted.telling(Arc::new(move |secret| {
            hear(secret);
            also(secret);
        })))
    }
}

/// The time of day of a run, and the system's dice.
#[derive(Debug)]
pub(super) struct Clock(pub(super) fn() -> SystemTime);

impl World for Clock {
    fn now(&self) -> SystemTime {
        (self.0)()
    }

    fn random(&self) -> [u8; 32] {
        RealWorld.random()
    }
}
