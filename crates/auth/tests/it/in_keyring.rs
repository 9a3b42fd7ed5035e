//! Credentials in a keyring that a test plays.

use std::sync::Arc;

use codewhale_mcp_auth::credentials::{CredentialStore, Entry, StoreError, Swapped, Version};
use codewhale_mcp_auth::store::keyring::{InKeyring, VaultError};
use tempfile::TempDir;

use crate::kept::{check_swaps, server, text};
use crate::vault::Fake;

fn store(vault: Fake) -> (TempDir, Arc<Fake>, InKeyring) {
    let folder = tempfile::tempdir().unwrap();
    let vault = Arc::new(vault);
    let store = InKeyring::new(Arc::<Fake>::clone(&vault), folder.path().join("auth"));
    (folder, vault, store)
}

/// A text whose places all differ.
fn long(length: usize) -> String {
    let mut text: String = (0..length / 4).map(|number| format!("{:04}", number % 10_000)).collect();
    text.extend(std::iter::repeat_n('x', length % 4));
    text
}

#[tokio::test]
async fn nobody_replaces_what_they_did_not_see_in_a_keyring() {
    for vault in [Fake::default(), Fake::with_limit(2560), Fake::with_limit(100)] {
        let (_folder, vault, store) = store(vault);
        check_swaps(&store).await;
        assert_eq!(vault.count(), 0);
    }
}

#[tokio::test]
async fn o30_a_text_longer_than_a_value_is_cut_into_parts() {
    let (_folder, vault, store) = store(Fake::with_limit(2560));
    let mut version: Option<Version> = None;
    // 2554 bytes and the first line fill one value; the name, its parts.
    for (length, values) in [(1281, 1), (2554, 1), (2555, 2), (4000, 3), (12_800, 6), (4000, 3), (1281, 1)] {
        let entry = Entry::new(text(&long(length)));
        let swapped = store.swap(&server("a"), version.as_ref(), Some(&entry.text)).await.unwrap();
        assert_eq!(swapped, Swapped::Done);
        assert_eq!(store.load(&server("a")).await.unwrap(), Some(entry.clone()));
        assert_eq!(vault.count(), values, "{length}: {:?}", vault.names());
        version = Some(entry.version);
    }
    let wide = Entry::new(text(&"ü€😀".repeat(1000)));
    store.swap(&server("a"), version.as_ref(), Some(&wide.text)).await.unwrap();
    assert_eq!(store.load(&server("a")).await.unwrap(), Some(wide.clone()));
    store.swap(&server("a"), Some(&wide.version), None).await.unwrap();
    assert_eq!(vault.count(), 0);
}

#[tokio::test]
async fn a_missing_part_is_no_entry_and_a_strange_one_is_damage() {
    let (_folder, vault, store) = store(Fake::with_limit(1000));
    let entry = Entry::new(text(&long(2500)));
    store.swap(&server("a"), None, Some(&entry.text)).await.unwrap();
    vault.meddle(" a1", None);
    assert_eq!(store.load(&server("a")).await.unwrap(), None);
    // It can be written over.
    store.swap(&server("a"), None, Some(&entry.text)).await.unwrap();
    assert_eq!(store.load(&server("a")).await.unwrap(), Some(entry.clone()));
    assert_eq!(vault.count(), 4, "{:?}", vault.names());
    vault.meddle(" b1", Some("at-SECRET"));
    let error = store.load(&server("a")).await.unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("in the system's keyring cannot be read: its parts do not belong together")
    );
    assert!(!format!("{error:?}").contains("SECRET"), "{error:?}");
    assert_eq!(store.swap(&server("a"), None, Some(&entry.text)).await.unwrap_err(), error);
}

#[tokio::test]
async fn a_strange_value_is_damage() {
    for strange in
        ["", "at-SECRET", "parts\nc 1 00", "parts\na 0 00", "parts\na 65 00", "parts\na 1 00 SECRET"]
    {
        let (_folder, vault, store) = store(Fake::default());
        store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap();
        vault.meddle("", Some(strange));
        let error = store.load(&server("a")).await.unwrap_err();
        let StoreError::Damaged { reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(reason, "it is not written by us");
    }
}

#[tokio::test]
async fn whoever_is_killed_leaves_the_former_text_or_the_new_one() {
    let texts = [long(10), long(2500), long(5000), long(2500), long(10)];
    for pair in texts.windows(2) {
        let (former, new) = (Entry::new(text(&pair[0])), Entry::new(text(&pair[1])));
        for changes in 0.. {
            let (_folder, vault, store) = store(Fake::with_limit(1000));
            store.swap(&server("a"), None, Some(&former.text)).await.unwrap();
            vault.stop_after(Some(changes));
            let killed = store.swap(&server("a"), Some(&former.version), Some(&new.text)).await.is_err();
            vault.stop_after(None);
            let kept = store.load(&server("a")).await.unwrap().unwrap();
            assert!(kept == former || kept == new, "{changes} changes");
            // The next one leaves nothing lying about.
            store.swap(&server("a"), Some(&kept.version), Some(&text("at-1"))).await.unwrap();
            assert_eq!(vault.count(), 1, "{changes} changes: {:?}", vault.names());
            if !killed {
                break;
            }
        }
    }
}

#[tokio::test]
async fn more_parts_than_there_may_be_are_refused() {
    let (_folder, vault, store) = store(Fake::with_limit(100));
    let error = store.swap(&server("a"), None, Some(&text(&long(6401)))).await.unwrap_err();
    assert_eq!(error, StoreError::TooLarge { bytes: 6401, limit: 6400 });
    assert_eq!(vault.count(), 0);
}

#[tokio::test]
async fn a_refusal_says_what_the_keyring_said() {
    let (_folder, vault, store) = store(Fake::default());
    let reason = || "so it is".to_owned();
    let rows = [
        (VaultError::Absent { reason: reason() }, "the system has no keyring: so it is"),
        (VaultError::Locked { reason: reason() }, "the system's keyring is locked: so it is"),
        (
            VaultError::Failed { reason: reason() },
            "the credential store cannot be used: the system's keyring failed: so it is",
        ),
    ];
    for (refusal, expected) in rows {
        vault.refuse(Some(refusal));
        assert_eq!(store.load(&server("a")).await.unwrap_err().to_string(), expected);
        let swapped = store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap_err();
        assert_eq!(swapped.to_string(), expected);
    }
}
