//! The system's keyring, or a private file where there is none.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use tokio::sync::Mutex;

use super::InFile;
use super::aside::aside;
use super::keyring::{InKeyring, Vault, VaultError, refused};
use crate::credentials::{CredentialStore, Entry, Held, Key, StoreError, Swapped, Version};

/// How long a keyring may take to say that it is there.
const OPENING: Duration = Duration::from_secs(20);

/// Opens the keyring. It blocks.
type Open = dyn Fn() -> Result<Arc<dyn Vault>, VaultError> + Send + Sync;

/// Hears where credentials go instead.
type Tell = dyn Fn(&Fallback<'_>) + Send + Sync;

/// Credentials are written to a file, because there is no keyring.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fallback<'a> {
    /// The file.
    pub file: &'a Path,
    /// Why there is no keyring.
    pub reason: &'a str,
}

/// Keeps credentials in the keyring, or in a file where the keyring itself says that there is none. One that is there
/// and locked, slow or damaged is an error: what was to be in a keyring is not put elsewhere.
///
/// What a file already holds is found, and goes to the keyring when it is next replaced.
pub struct KeyringOrFile {
    open: Arc<Open>,
    file: InFile,
    folder: Arc<Path>,
    tell: Box<Tell>,
    told: AtomicBool,
    keyring: Mutex<Keyring>,
}

#[derive(Debug, Clone)]
enum Keyring {
    Unknown,
    There(InKeyring),
    Absent(String),
}

impl fmt::Debug for KeyringOrFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyringOrFile").field("file", &self.file).finish_non_exhaustive()
    }
}

impl KeyringOrFile {
    /// Opens the keyring when it is first needed. The file and the locks are in `folder`, which need not exist. `tell`
    /// is called once, before something is written to the file.
    pub fn new(
        open: impl Fn() -> Result<Arc<dyn Vault>, VaultError> + Send + Sync + 'static,
        folder: &Path,
        tell: impl Fn(&Fallback<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Arc::new(open),
            file: InFile::new(folder),
            folder: Arc::from(folder),
            tell: Box::new(tell),
            told: AtomicBool::new(false),
            keyring: Mutex::new(Keyring::Unknown),
        }
    }

    /// The keyring, if there is one.
    async fn keyring(&self) -> Result<Option<InKeyring>, StoreError> {
        let mut known = self.keyring.lock().await;
        if let Keyring::Unknown = *known {
            let open = Arc::clone(&self.open);
            *known = match aside("the system's keyring", OPENING, move || Ok(open())).await? {
                Ok(vault) => Keyring::There(InKeyring::new(vault, &*self.folder)),
                Err(VaultError::Absent { reason }) => Keyring::Absent(reason),
                Err(error) => return Err(refused("the entry", error)),
            };
        }
        match &*known {
            Keyring::There(keyring) => Ok(Some(keyring.clone())),
            Keyring::Unknown | Keyring::Absent(_) => Ok(None),
        }
    }

    /// Reads from the keyring, if it turns out to be one.
    async fn kept(&self, key: &Key) -> Result<Option<(InKeyring, Option<Entry>)>, StoreError> {
        let Some(keyring) = self.keyring().await? else { return Ok(None) };
        match keyring.load(key).await {
            Ok(entry) => Ok(Some((keyring, entry))),
            Err(StoreError::Absent { reason }) => {
                self.forget(reason).await;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn forget(&self, reason: String) {
        *self.keyring.lock().await = Keyring::Absent(reason);
    }

    async fn swap_in_file(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        if text.is_some()
            && !self.told.swap(true, Ordering::Relaxed)
            && let Keyring::Absent(reason) = &*self.keyring.lock().await
        {
            (self.tell)(&Fallback { file: self.file.path(), reason });
        }
        self.file.swap(key, expected, text).await
    }
}

#[async_trait]
impl CredentialStore for KeyringOrFile {
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        match self.kept(key).await? {
            Some((_, Some(entry))) => Ok(Some(entry)),
            _ => self.file.load(key).await,
        }
    }

    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        let Some((keyring, kept)) = self.kept(key).await? else {
            return self.swap_in_file(key, expected, text).await;
        };
        let filed = self.file.load(key).await?;
        let present = kept.as_ref().or(filed.as_ref());
        if present.map(|entry| &entry.version) != expected {
            return Ok(Swapped::Other(present.cloned()));
        }
        if text.is_some() || kept.is_some() {
            let former = kept.as_ref().map(|entry| &entry.version);
            match keyring.swap(key, former, text).await {
                Ok(Swapped::Done) => {}
                Err(StoreError::Absent { reason }) => {
                    self.forget(reason).await;
                    return self.swap_in_file(key, expected, text).await;
                }
                other => return other,
            }
        }
        // An older one must not come to light when the one in the keyring goes.
        match filed {
            Some(filed) => self.file.swap(key, Some(&filed.version), None).await,
            None => Ok(Swapped::Done),
        }
    }

    async fn hold(&self, key: &Key) -> Result<Held, StoreError> {
        self.file.hold(key).await
    }
}
