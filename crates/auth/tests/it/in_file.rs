//! Credentials in a file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use codewhale_mcp_auth::credentials::{CredentialStore, Entry, StoreError, Swapped};
use codewhale_mcp_auth::store::InFile;
use tempfile::TempDir;

use crate::kept::{check_swaps, server, text};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn nobody_replaces_what_they_did_not_see_in_a_file() {
    let folder = folder();
    check_swaps(&InFile::new(folder.path().join("new/auth"))).await;
}

#[tokio::test]
async fn another_process_finds_what_was_written() {
    let folder = folder();
    let (one, other) = (InFile::new(folder.path()), InFile::new(folder.path()));
    one.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap();
    one.swap(&server("b"), None, Some(&text("at-2"))).await.unwrap();
    assert_eq!(other.load(&server("a")).await.unwrap(), Some(Entry::new(text("at-1"))));
    assert_eq!(other.load(&server("b")).await.unwrap(), Some(Entry::new(text("at-2"))));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_reads_the_file_and_enters_the_folder() {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = folder();
    let inner = folder.path().join("auth");
    let store = InFile::new(&inner);
    store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap();
    assert_eq!((mode(store.path()), mode(&inner)), (0o600, 0o700));
    // Somebody opened it to everybody.
    fs::set_permissions(store.path(), fs::Permissions::from_mode(0o644)).unwrap();
    store.swap(&server("b"), None, Some(&text("at-2"))).await.unwrap();
    assert_eq!(mode(store.path()), 0o600);
    let _held = store.hold(&server("a")).await.unwrap();
    assert_eq!(mode(&inner.join("turns")), 0o700);
}

#[tokio::test]
async fn a_damaged_file_stays_and_is_named_and_not_shown() {
    let folder = folder();
    let store = InFile::new(folder.path());
    let rows = [
        ("", "it is not JSON"),
        (r#"{"version":1,"entries":{"x":"at-SECRET"#, "it is not JSON"),
        (r#"{"version":1,"entries":["at-SECRET"]}"#, "it has another shape"),
        (r#"{"version":7,"entries":{"x":"at-SECRET"}}"#, "its version is 7"),
    ];
    for (content, why) in rows {
        fs::write(store.path(), content).unwrap();
        let loaded = store.load(&server("a")).await.unwrap_err();
        let swapped = store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap_err();
        assert_eq!(loaded, swapped);
        let StoreError::Damaged { what, reason } = &loaded else { panic!("{loaded:?}") };
        assert_eq!(*what, format!("`{}`", store.path().display()));
        assert!(reason.contains(why), "{reason}");
        assert!(!format!("{loaded} {loaded:?}").contains("SECRET"), "{loaded:?}");
        assert_eq!(fs::read_to_string(store.path()).unwrap(), content);
    }
    // To take it away mends it.
    fs::remove_file(store.path()).unwrap();
    assert_eq!(store.load(&server("a")).await.unwrap(), None);
}

#[tokio::test]
async fn what_stands_in_the_files_place_is_left_alone() {
    let folder = folder();
    let store = InFile::new(folder.path());
    fs::create_dir(store.path()).unwrap();
    let error = store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap_err();
    assert!(matches!(&error, StoreError::Damaged { reason, .. } if reason == "it is not a regular file"));
    assert!(store.path().is_dir());
    // Nor is a folder made where a file stands.
    let store = InFile::new(folder.path().join("f/auth"));
    fs::write(folder.path().join("f"), "").unwrap();
    let error = store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unusable { .. }), "{error:?}");
}

#[tokio::test]
async fn too_long_a_text_is_refused_and_the_former_stays() {
    let folder = folder();
    let store = InFile::new(folder.path());
    let former = Entry::new(text("at-1"));
    store.swap(&server("a"), None, Some(&former.text)).await.unwrap();
    let long = text(&"x".repeat((256 << 10) + 1));
    let error = store.swap(&server("a"), Some(&former.version), Some(&long)).await.unwrap_err();
    assert_eq!(error, StoreError::TooLarge { bytes: 262_145, limit: 262_144 });
    assert_eq!(store.load(&server("a")).await.unwrap(), Some(former.clone()));
    let longest = text(&"x".repeat(256 << 10));
    let swapped = store.swap(&server("a"), Some(&former.version), Some(&longest)).await.unwrap();
    assert_eq!(swapped, Swapped::Done);
    assert_eq!(store.load(&server("a")).await.unwrap(), Some(Entry::new(longest)));
}

#[tokio::test]
async fn a_turn_is_a_keys_own_and_ends_with_its_holder() {
    let folder = folder();
    let store = InFile::new(folder.path()).with_patience(Duration::from_millis(20));
    let held = store.hold(&server("a")).await.unwrap();
    let busy = store.hold(&server("a")).await.unwrap_err();
    assert_eq!(busy, StoreError::Busy { limit: Duration::from_millis(20) });
    // Neither other keys nor the file wait for it.
    store.hold(&server("b")).await.unwrap();
    store.swap(&server("a"), None, Some(&text("at-1"))).await.unwrap();
    drop(held);
    store.hold(&server("a")).await.unwrap();
}

#[tokio::test]
async fn who_waits_for_a_turn_gets_it() {
    let folder = folder();
    let store = InFile::new(folder.path());
    let held = store.hold(&server("a")).await.unwrap();
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.hold(&server("a")).await }
    });
    tokio::task::yield_now().await;
    drop(held);
    waiting.await.unwrap().unwrap();
}
