//! Credentials in a file that only its owner may read.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use codewhale_mcp_store::{Mode, ReadError, create_private_folder, read_bounded, replace};

use super::aside::aside;
use super::document::Document;
use super::name::name;
use super::turns::{Turns, take, unusable};
use crate::credentials::{CredentialStore, Entry, Held, Key, StoreError, Swapped, Version};

/// The largest file that is read, in bytes.
const LARGEST_FILE: usize = 4 << 20;

/// The longest text that is kept under one key, in bytes.
const LARGEST_TEXT: usize = 256 << 10;

/// How long a write waits for other writers, who are done in milliseconds.
const WRITERS: Duration = Duration::from_secs(10);

/// How long the file system may take.
const DISK: Duration = Duration::from_secs(30);

/// How long a turn is waited for: others refresh their tokens meanwhile.
const TURN: Duration = Duration::from_secs(60);

/// Keeps credentials in `credentials.json` in a folder. The folder is made with mode 0700 when it is missing, the file
/// has mode 0600.
///
/// The file is replaced whole, under a lock, so that whoever reads it finds the old one or the new one, also when a
/// writer is killed. One that cannot be read is an error for every call and stays as it is.
#[derive(Debug, Clone)]
pub struct InFile {
    place: Arc<Place>,
    turn: Duration,
}

#[derive(Debug)]
struct Place {
    folder: PathBuf,
    file: PathBuf,
    turns: Turns,
}

impl InFile {
    /// Keeps them in a folder, which need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let file = folder.join("credentials.json");
        let turns = Turns::new(&folder);
        Self { place: Arc::new(Place { folder, file, turns }), turn: TURN }
    }

    /// Waits for a turn for as long as `limit`.
    #[must_use]
    pub fn with_patience(self, limit: Duration) -> Self {
        Self { turn: limit, ..self }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.file
    }

    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Place) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = Arc::clone(&self.place);
        aside("the file system", DISK, move || work(&place)).await
    }
}

#[async_trait]
impl CredentialStore for InFile {
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        let name = name(key);
        self.aside(move |place| Ok(place.read()?.entries.remove(&name).map(Entry::new))).await
    }

    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        let (name, expected, text) = (name(key), expected.cloned(), text.cloned());
        if let Some(bytes) =
            text.as_ref().map(|text| text.expose().len()).filter(|bytes| *bytes > LARGEST_TEXT)
        {
            return Err(StoreError::TooLarge { bytes, limit: LARGEST_TEXT });
        }
        self.aside(move |place| place.swap(name, expected.as_ref(), text)).await
    }

    async fn hold(&self, key: &Key) -> Result<Held, StoreError> {
        self.place.turns.hold(key, self.turn).await
    }
}

impl Place {
    fn read(&self) -> Result<Document, StoreError> {
        let damaged = |reason| StoreError::Damaged { what: format!("`{}`", self.file.display()), reason };
        let bytes = match read_bounded(&self.file, LARGEST_FILE as u64) {
            Ok(bytes) => bytes,
            Err(ReadError::Missing { .. }) => return Ok(Document::default()),
            Err(ReadError::TooLarge { limit, .. }) => {
                return Err(damaged(format!("it is larger than {limit} bytes")));
            }
            Err(ReadError::NotAFile { .. }) => return Err(damaged("it is not a regular file".to_owned())),
            Err(error) => return Err(unusable(&error)),
        };
        Document::parse(&bytes).map_err(damaged)
    }

    fn swap(
        &self,
        name: String,
        expected: Option<&Version>,
        text: Option<Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        create_private_folder(&self.folder).map_err(|error| unusable(&error))?;
        let lock = take(&self.file, WRITERS)?;
        lock.remove_leftovers();
        let mut document = self.read()?;
        let present = document.entries.get(&name).cloned().map(Entry::new);
        if present.as_ref().map(|entry| &entry.version) != expected {
            return Ok(Swapped::Other(present));
        }
        match text {
            Some(text) => document.entries.insert(name, text),
            None if present.is_none() => return Ok(Swapped::Done),
            None => document.entries.remove(&name),
        };
        let text = document.print();
        let bytes = text.expose().as_bytes();
        if bytes.len() > LARGEST_FILE {
            return Err(StoreError::TooLarge { bytes: bytes.len(), limit: LARGEST_FILE });
        }
        make_private(&self.file).map_err(|error| unusable(&error))?;
        replace(&self.file, bytes, Mode::Private).map_err(|error| unusable(&error))?;
        Ok(Swapped::Done)
    }
}

/// A file that others may read keeps its mode when it is replaced, so it is closed to them before.
#[cfg(unix)]
fn make_private(file: &Path) -> std::io::Result<()> {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    match metadata(file) {
        Ok(there) if there.permissions().mode() & 0o177 != 0 => {
            set_permissions(file, Permissions::from_mode(0o600))
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn make_private(_file: &Path) -> std::io::Result<()> {
    Ok(())
}
