//! Credentials in a keyring.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use codewhale_mcp_store::create_private_folder;

use super::parts;
use super::vault::{Vault, VaultError};
use crate::credentials::{CredentialStore, Entry, Held, Key, StoreError, Swapped, Version};
use crate::store::aside::aside;
use crate::store::name::name;
use crate::store::turns::{Turns, take, unusable};

/// How long a keyring may take to answer. Within it a person may open one that is locked.
const ANSWER: Duration = Duration::from_secs(60);

/// How long a write waits for other writers.
const WRITERS: Duration = Duration::from_secs(60);

/// How long a turn is waited for.
const TURN: Duration = Duration::from_secs(60);

/// Keeps credentials in a keyring. A folder of files is needed too, for the locks that keep processes apart.
#[derive(Debug, Clone)]
pub struct InKeyring {
    vault: Arc<dyn Vault>,
    folder: PathBuf,
    turns: Arc<Turns>,
    answer: Duration,
}

impl InKeyring {
    /// Keeps them in `vault`, and locks in `folder`, which need not exist.
    #[must_use]
    pub fn new(vault: Arc<dyn Vault>, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let turns = Arc::new(Turns::new(&folder));
        Self { vault, folder, turns, answer: ANSWER }
    }

    /// Waits for the keyring's answer for as long as `limit`.
    #[must_use]
    pub fn with_patience(self, limit: Duration) -> Self {
        Self { answer: limit, ..self }
    }

    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Vault) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let vault = Arc::clone(&self.vault);
        aside("the system's keyring", self.answer, move || work(vault.as_ref())).await
    }
}

#[async_trait]
impl CredentialStore for InKeyring {
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        let name = name(key);
        self.aside(move |vault| load(vault, &name)).await
    }

    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        let (name, folder) = (name(key), self.folder.clone());
        let (expected, text) = (expected.cloned(), text.cloned());
        self.aside(move |vault| swap(vault, &folder, &name, expected.as_ref(), text.as_ref())).await
    }

    async fn hold(&self, key: &Key) -> Result<Held, StoreError> {
        self.turns.hold(key, TURN).await
    }
}

fn load(vault: &dyn Vault, name: &str) -> Result<Option<Entry>, StoreError> {
    let text = parts::read(vault, name).map_err(|error| refused(name, error))?;
    Ok(text.map(Entry::new))
}

fn swap(
    vault: &dyn Vault,
    folder: &Path,
    name: &str,
    expected: Option<&Version>,
    text: Option<&Secret<String>>,
) -> Result<Swapped, StoreError> {
    create_private_folder(folder).map_err(|error| unusable(&error))?;
    let _lock = take(&folder.join("keyring"), WRITERS)?;
    let present = load(vault, name)?;
    if present.as_ref().map(|entry| &entry.version) != expected {
        return Ok(Swapped::Other(present));
    }
    let refused = |error| refused(name, error);
    let Some(text) = text else {
        parts::remove(vault, name).map_err(refused)?;
        return Ok(Swapped::Done);
    };
    match parts::write(vault, name, text).map_err(refused)? {
        true => Ok(Swapped::Done),
        false => Err(StoreError::TooLarge {
            bytes: text.expose().len(),
            limit: parts::longest(vault).unwrap_or(usize::MAX),
        }),
    }
}

/// What a keyring's refusal means for the store.
pub(in crate::store) fn refused(name: &str, error: VaultError) -> StoreError {
    match error {
        VaultError::Absent { reason } => StoreError::Absent { reason },
        VaultError::Locked { reason } => StoreError::Locked { reason },
        VaultError::Damaged { reason } => {
            StoreError::Damaged { what: format!("`{name}` in the system's keyring"), reason }
        }
        VaultError::Failed { reason } => {
            StoreError::Unusable { reason: format!("the system's keyring failed: {reason}") }
        }
    }
}
