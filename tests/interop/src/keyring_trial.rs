//! What is done in a session that has a keyring, or has none: this program again, with `--keyring WHAT FOLDER`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codewhale_mcp_auth::credentials::{CredentialStore, Entry, Key, StoreError, Swapped};
use codewhale_mcp_auth::store::KeyringOrFile;
use codewhale_mcp_auth::store::keyring::open_system;
use codewhale_mcp_redact::Secret;

use crate::expect::{holds, same};

type Outcome = Result<(), String>;

/// As much as no login needs.
const LONG: usize = 100_000;

/// How many times each of those who count does.
pub(crate) const TIMES: u32 = 20;

/// Runs one.
pub(crate) async fn run(what: &str, folder: &str) -> Outcome {
    let told = Arc::new(AtomicUsize::new(0));
    let store = KeyringOrFile::new(open_system, folder.as_ref(), {
        let told = Arc::clone(&told);
        move |_| {
            told.fetch_add(1, Ordering::Relaxed);
        }
    });
    match what {
        "write" => write(&store).await?,
        "read" => read(&store).await?,
        "count" => count(&store).await?,
        "counted" => counted(&store).await?,
        "locked" => locked(&store).await?,
        "absent" => absent(&store).await?,
        other => return Err(format!("not understood: {other}")),
    }
    let expected = usize::from(what == "absent");
    same("times that a file was told of", &told.load(Ordering::Relaxed), &expected)
}

fn key(name: &str) -> Key {
    Key::Server { name: name.to_owned(), url: "https://mcp.example/?key=in-the-url".to_owned() }
}

fn text(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn long() -> Secret<String> {
    Secret::new("0123456789abcdef-ü\n".repeat(LONG / 20))
}

fn failed(error: StoreError) -> String {
    error.to_string()
}

async fn write(store: &dyn CredentialStore) -> Outcome {
    let none = store.load(&key("a")).await.map_err(failed)?;
    same("entry at first", &none, &None)?;
    for (name, content) in [("a", text("at-1")), ("long", long()), ("gone", text("at-2"))] {
        let swapped = store.swap(&key(name), None, Some(&content)).await.map_err(failed)?;
        same("swap", &swapped, &Swapped::Done)?;
    }
    let late = store.swap(&key("a"), None, Some(&text("at-3"))).await.map_err(failed)?;
    same("late swap", &late, &Swapped::Other(Some(Entry::new(text("at-1")))))?;
    let gone = Entry::new(text("at-2"));
    let swapped = store.swap(&key("gone"), Some(&gone.version), None).await.map_err(failed)?;
    same("removal", &swapped, &Swapped::Done)
}

async fn read(store: &dyn CredentialStore) -> Outcome {
    for (name, expected) in [("a", Some(text("at-1"))), ("long", Some(long())), ("gone", None)] {
        let loaded = store.load(&key(name)).await.map_err(failed)?;
        holds(&format!("`{name}` is what was written"), loaded == expected.map(Entry::new))?;
    }
    Ok(())
}

async fn count(store: &dyn CredentialStore) -> Outcome {
    for _ in 0..TIMES {
        let mut seen = store.load(&key("count")).await.map_err(failed)?;
        loop {
            let number = seen.as_ref().map_or(Ok(0), |entry| entry.text.expose().parse::<u32>());
            let number = number.map_err(|error| error.to_string())?;
            let version = seen.as_ref().map(|entry| &entry.version);
            let next = Secret::new((number + 1).to_string());
            match store.swap(&key("count"), version, Some(&next)).await.map_err(failed)? {
                Swapped::Done => break,
                Swapped::Other(other) => seen = other,
            }
        }
    }
    Ok(())
}

async fn counted(store: &dyn CredentialStore) -> Outcome {
    let expected = Secret::new((4 * TIMES).to_string());
    let loaded = store.load(&key("count")).await.map_err(failed)?;
    holds("every process's change is there", loaded == Some(Entry::new(expected)))
}

/// Nothing goes elsewhere.
async fn locked(store: &dyn CredentialStore) -> Outcome {
    let loaded = store.load(&key("a")).await;
    holds(&format!("loading says that it is locked: {loaded:?}"), is_locked(&loaded))?;
    let swapped = store.swap(&key("b"), None, Some(&text("at-1"))).await;
    holds(&format!("writing says that it is locked: {swapped:?}"), is_locked(&swapped))
}

fn is_locked<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Locked { .. }))
}

async fn absent(store: &dyn CredentialStore) -> Outcome {
    same("entry at first", &store.load(&key("a")).await.map_err(failed)?, &None)?;
    for name in ["a", "b"] {
        let swapped = store.swap(&key(name), None, Some(&text("at-1"))).await.map_err(failed)?;
        same("swap", &swapped, &Swapped::Done)?;
    }
    let loaded = store.load(&key("a")).await.map_err(failed)?;
    same("entry", &loaded, &Some(Entry::new(text("at-1"))))
}
