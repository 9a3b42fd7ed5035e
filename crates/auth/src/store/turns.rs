//! One process at a time.

use std::path::Path;
use std::time::Duration;

use codewhale_mcp_store::{Lock, LockError, create_private_folder};

use super::aside::aside;
use super::name::hash;
use super::reason::reason;
use crate::credentials::{Held, Key, StoreError};

/// How much longer than its own limit a lock is waited for, before its thread counts as stuck.
const GRACE: Duration = Duration::from_secs(5);

/// Waits for a key's turn. It ends when the holder drops it, and when the holder's process is gone.
///
/// Every key has a folder of its own: what is locked is a folder, and a turn lasts as long as a request.
pub(super) async fn hold(folder: &Path, key: &Key, limit: Duration) -> Result<Held, StoreError> {
    let folder = folder.join("turns").join(hash(key));
    let lock = aside("the lock", limit + GRACE, move || {
        create_private_folder(&folder).map_err(|error| unusable(&error))?;
        take(&folder.join("turn"), limit)
    });
    lock.await.map(Held::new)
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
