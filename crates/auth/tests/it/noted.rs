//! Stores whose entries are noted.

use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use codewhale_mcp_auth::credentials::{CredentialStore, InMemory, Key, Swapped};
use codewhale_mcp_auth::store::{Asked, NoteOf, Noted, Notes};
use codewhale_mcp_redact::Secret;
use serde_json::json;

use crate::kept::server;

fn tokens(name: &str) -> Secret<String> {
    let tokens = json!({
        "kind": "tokens", "issuer": "https://auth.test", "resource": "https://mcp.test/mcp", "client_id": "c",
        "client_source": "registered", "client_secret": "s-secret", "access_token": format!("a-{name}"),
        "token_type": "Bearer", "obtained_at": 1, "expires_at": 1_800_000_000, "refresh_token": format!("r-{name}"),
        "requested": "a b", "granted": "a",
    });
    Secret::new(tokens.to_string())
}

/// A noted store in a folder, and the secrets that it told of.
fn noted(notes: &Notes) -> (Noted, Arc<Mutex<Vec<String>>>) {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hear = told.clone();
    let store = Noted::new(Arc::new(InMemory::default()), notes.clone());
    (store.telling(Arc::new(move |secret| hear.lock().unwrap().push(secret.expose().clone()))), told)
}

#[tokio::test]
async fn what_is_kept_is_noted_and_every_secret_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let notes = Notes::beside(folder.path());
    let ((store, told), key) = (noted(&notes), server("s"));
    assert!(!store.may_hold(&key).await);
    assert_eq!(store.load(&key).await.unwrap(), None);
    assert!(!folder.path().join("logins").exists(), "nothing is noted of nothing");
    store.swap(&key, None, Some(&tokens("1"))).await.unwrap();
    assert!(store.may_hold(&key).await && !store.may_hold(&server("other")).await);
    let expected = NoteOf::Tokens {
        issuer: "https://auth.test".to_owned(),
        scopes: "a".to_owned(),
        expires_at: Some(1_800_000_000),
        renews: true,
    };
    assert_eq!((&notes.of(&key).of, notes.of(&key).asked), (&expected, None));
    assert_eq!(expected.ends_at(), Some(UNIX_EPOCH + Duration::from_secs(1_800_000_000)));
    told.lock().unwrap().sort();
    told.lock().unwrap().dedup();
    assert_eq!(*told.lock().unwrap(), ["a-1", "r-1", "s-secret"]);
    let entry = store.load(&key).await.unwrap().unwrap();
    store
        .swap(&key, Some(&entry.version), Some(&Secret::new(r#"{"kind":"logged_out"}"#.to_owned())))
        .await
        .unwrap();
    assert_eq!(notes.of(&key).of, NoteOf::LoggedOut);
    for file in std::fs::read_dir(folder.path().join("logins")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!["a-1", "r-1", "secret"].iter().any(|secret| text.contains(secret)), "{text}");
    }
    let issuer = Key::Issuer { issuer: "https://auth.test".to_owned() };
    assert!(store.may_hold(&issuer).await, "of a registration nothing is noted");
}

#[tokio::test]
async fn what_a_server_asked_for_stands_until_there_are_other_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let notes = Notes::beside(folder.path());
    let ((store, _), key) = (noted(&notes), server("s"));
    let asked = Asked { scopes: Some("write".to_owned()) };
    notes.ask(&key, asked.clone());
    store.load(&key).await.unwrap();
    assert_eq!(notes.of(&key).asked, Some(asked));
    store.swap(&key, None, Some(&tokens("1"))).await.unwrap();
    assert_eq!(notes.of(&key).asked, None);
    notes.ask(&key, Asked::default());
    let entry = store.load(&key).await.unwrap().unwrap();
    assert_eq!(notes.of(&key).asked, Some(Asked::default()));
    notes.answer(&key);
    assert_eq!(notes.of(&key).asked, None);
    store.swap(&key, Some(&entry.version), None).await.unwrap();
    assert_eq!(notes.of(&key).of, NoteOf::Nothing);
}

#[tokio::test]
async fn a_note_that_is_wrong_is_put_right_by_a_look() {
    let folder = tempfile::tempdir().unwrap();
    let notes = Notes::beside(folder.path());
    let ((store, _), key) = (noted(&notes), server("s"));
    store.swap(&key, None, Some(&tokens("1"))).await.unwrap();
    let right = notes.of(&key);
    for file in std::fs::read_dir(folder.path().join("logins")).unwrap() {
        std::fs::write(file.unwrap().path(), "{ half of").unwrap();
    }
    assert_eq!(notes.of(&key).of, NoteOf::Nothing);
    store.load(&key).await.unwrap();
    assert_eq!(notes.of(&key), right);
    // Whoever comes too late learns what is there.
    let swapped = store.swap(&key, None, Some(&tokens("2"))).await.unwrap();
    assert!(matches!(swapped, Swapped::Other(Some(_))));
    assert_eq!(notes.of(&key), right);
}

#[tokio::test]
async fn notes_that_cannot_be_written_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("logins"), "in the way").unwrap();
    let ((store, _), key) = (noted(&Notes::beside(folder.path())), server("s"));
    store.swap(&key, None, Some(&tokens("1"))).await.unwrap();
    assert!(store.load(&key).await.unwrap().is_some());
}
