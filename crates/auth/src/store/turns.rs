//! One holder at a time, in this process and in others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use codewhale_mcp_store::{Lock, LockError, create_private_folder};
use tokio::sync::Mutex as Turn;
use tokio::time::timeout;

use super::aside::aside;
use super::name::hash;
use super::reason::reason;
use crate::credentials::{Held, Key, StoreError};

/// How much longer than its own limit a lock is waited for, before its thread counts as stuck.
const GRACE: Duration = Duration::from_secs(5);

/// The turns of keys. One ends when its holder drops it, and when the holder's process is gone.
///
/// Within the process those who wait stand in line, and only the first of them waits for other processes. Every key has
/// a folder of its own: what is locked is a folder, and a turn lasts as long as a request.
#[derive(Debug)]
pub(super) struct Turns {
    folder: PathBuf,
    here: Mutex<HashMap<String, Weak<Turn<()>>>>,
}

impl Turns {
    /// Locks below a folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.join("turns"), here: Mutex::default() }
    }

    /// Waits for a key's turn, at most for `limit`.
    pub(super) async fn hold(&self, key: &Key, limit: Duration) -> Result<Held, StoreError> {
        let started = Instant::now();
        let hash = hash(key);
        let turn = self.here(&hash).lock_owned();
        let turn = timeout(limit, turn).await.map_err(|_| StoreError::Busy { limit })?;
        let folder = self.folder.join(hash);
        let left = limit.saturating_sub(started.elapsed());
        let lock = aside("the lock", left + GRACE, move || {
            create_private_folder(&folder).map_err(|error| unusable(&error))?;
            take(&folder.join("turn"), left)
        });
        match lock.await {
            Ok(lock) => Ok(Held::new((lock, turn))),
            Err(StoreError::Busy { .. }) => Err(StoreError::Busy { limit }),
            Err(error) => Err(error),
        }
    }

    fn here(&self, hash: &str) -> Arc<Turn<()>> {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = here.get(hash).and_then(Weak::upgrade) {
            return turn;
        }
        here.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Turn::new(()));
        here.insert(hash.to_owned(), Arc::downgrade(&turn));
        turn
    }
}

/// Locks the file at `path`.
pub(super) fn take(path: &Path, limit: Duration) -> Result<Lock, StoreError> {
    Lock::acquire(path, limit).map_err(|error| match error {
        LockError::HeldByOther { waited, .. } => StoreError::Busy { limit: waited },
        error => unusable(&error),
    })
}

pub(super) fn unusable(error: &dyn std::error::Error) -> StoreError {
    StoreError::Unusable { reason: reason(error) }
}
