//! The keyring, or a file where there is none.

use std::sync::{Arc, Mutex};

use codewhale_mcp_auth::credentials::{CredentialStore, Entry, Key, StoreError, Swapped};
use codewhale_mcp_auth::store::keyring::{Vault, VaultError};
use codewhale_mcp_auth::store::{InFile, KeyringOrFile};
use tempfile::TempDir;

use crate::kept::{check_swaps, server, text};
use crate::vault::Fake;

struct World {
    folder: TempDir,
    vault: Arc<Fake>,
    told: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), vault: Arc::default(), told: Arc::default() }
    }

    /// What a process sees that finds the keyring so.
    fn store(&self, refusal: Option<VaultError>) -> KeyringOrFile {
        let (vault, told) = (Arc::clone(&self.vault), Arc::clone(&self.told));
        let open = move || match &refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(Arc::<Fake>::clone(&vault) as Arc<dyn Vault>),
        };
        KeyringOrFile::new(open, self.folder.path(), move |fallback| {
            told.lock().unwrap().push(format!("{}: {}", fallback.file.display(), fallback.reason));
        })
    }

    fn file(&self) -> InFile {
        InFile::new(self.folder.path())
    }

    fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }
}

fn absent() -> VaultError {
    VaultError::Absent { reason: "no bus".to_owned() }
}

fn key() -> Key {
    server("a")
}

#[tokio::test]
async fn nobody_replaces_what_they_did_not_see_wherever_it_is() {
    check_swaps(&World::new().store(None)).await;
    check_swaps(&World::new().store(Some(absent()))).await;
}

#[tokio::test]
async fn a_keyring_that_is_there_is_used_and_nothing_is_said() {
    let world = World::new();
    let store = world.store(None);
    store.swap(&key(), None, Some(&text("at-1"))).await.unwrap();
    assert_eq!(store.load(&key()).await.unwrap(), Some(Entry::new(text("at-1"))));
    assert_eq!((world.vault.count(), world.file().path().exists()), (1, false));
    assert_eq!(world.told(), Vec::<String>::new());
}

#[tokio::test]
async fn without_a_keyring_it_is_a_file_which_is_said_once() {
    let world = World::new();
    let store = world.store(Some(absent()));
    assert_eq!(store.load(&key()).await.unwrap(), None);
    assert_eq!(world.told(), Vec::<String>::new());
    store.swap(&key(), None, Some(&text("at-1"))).await.unwrap();
    store.swap(&server("b"), None, Some(&text("at-2"))).await.unwrap();
    assert_eq!(world.told(), [format!("{}: no bus", world.file().path().display())]);
    assert_eq!(world.file().load(&key()).await.unwrap(), Some(Entry::new(text("at-1"))));
    assert_eq!(store.load(&key()).await.unwrap(), Some(Entry::new(text("at-1"))));
}

#[tokio::test]
async fn a_keyring_without_a_place_to_write_to_is_none() {
    let world = World::new();
    let store = world.store(None);
    assert_eq!(store.load(&key()).await.unwrap(), None);
    world.vault.refuse(Some(absent()));
    store.swap(&key(), None, Some(&text("at-1"))).await.unwrap();
    world.vault.refuse(None);
    assert_eq!(store.load(&key()).await.unwrap(), Some(Entry::new(text("at-1"))));
    assert_eq!((world.vault.count(), world.told().len()), (0, 1));
}

#[tokio::test]
async fn a_locked_keyring_is_an_error_and_nothing_goes_elsewhere() {
    let world = World::new();
    let locked = || VaultError::Locked { reason: "dismissed".to_owned() };
    let store = world.store(None);
    world.vault.refuse(Some(locked()));
    for store in [store, world.store(Some(locked()))] {
        let expected = StoreError::Locked { reason: "dismissed".to_owned() };
        assert_eq!(store.load(&key()).await.unwrap_err(), expected);
        assert_eq!(store.swap(&key(), None, Some(&text("at-1"))).await.unwrap_err(), expected);
    }
    assert!(!world.file().path().exists());
    assert_eq!(world.told(), Vec::<String>::new());
}

#[tokio::test]
async fn what_a_file_holds_moves_to_the_keyring_when_it_is_replaced() {
    let world = World::new();
    let one = Entry::new(text("at-1"));
    world.store(Some(absent())).swap(&key(), None, Some(&one.text)).await.unwrap();
    let store = world.store(None);
    assert_eq!(store.load(&key()).await.unwrap(), Some(one.clone()));
    let late = store.swap(&key(), None, Some(&text("at-3"))).await.unwrap();
    assert_eq!(late, Swapped::Other(Some(one.clone())));
    let done = store.swap(&key(), Some(&one.version), Some(&text("at-2"))).await.unwrap();
    assert_eq!(done, Swapped::Done);
    assert_eq!((world.vault.count(), world.file().load(&key()).await.unwrap()), (1, None));
    assert_eq!(store.load(&key()).await.unwrap(), Some(Entry::new(text("at-2"))));
}

#[tokio::test]
async fn what_is_taken_away_is_gone_from_both() {
    let world = World::new();
    let (one, two) = (Entry::new(text("at-1")), Entry::new(text("at-2")));
    let store = world.store(None);
    store.swap(&key(), None, Some(&two.text)).await.unwrap();
    world.file().swap(&key(), None, Some(&one.text)).await.unwrap();
    assert_eq!(store.load(&key()).await.unwrap(), Some(two.clone()));
    store.swap(&key(), Some(&two.version), None).await.unwrap();
    assert_eq!(store.load(&key()).await.unwrap(), None);
    assert_eq!(world.file().load(&key()).await.unwrap(), None);
    // In the file alone.
    world.file().swap(&key(), None, Some(&one.text)).await.unwrap();
    store.swap(&key(), Some(&one.version), None).await.unwrap();
    assert_eq!(world.file().load(&key()).await.unwrap(), None);
}

#[tokio::test]
async fn turns_are_the_same_with_a_keyring_and_without() {
    let world = World::new();
    let _held = world.store(None).hold(&key()).await.unwrap();
    let other = world.file().with_patience(std::time::Duration::from_millis(10));
    assert!(matches!(other.hold(&key()).await, Err(StoreError::Busy { .. })));
}
