//! A store whose entries are noted.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;

use super::aside::aside;
use super::note::{NoteOf, Notes};
use crate::credentials::{CredentialStore, Entry, Held, Kept, Key, StoreError, Swapped, Version};
use crate::registration::Registration;

/// How long a note may take.
const DISK: Duration = Duration::from_secs(10);

/// Hears of each secret that comes up, so that it can be hidden in what is shown.
pub type Hear = dyn Fn(&Secret<String>) + Send + Sync;

/// Keeps credentials in another store and notes what is kept, so that nobody has to open a keyring to say how things
/// are, or for a server of which nothing is kept.
#[derive(Clone)]
pub struct Noted {
    store: Arc<dyn CredentialStore>,
    notes: Notes,
    hear: Option<Arc<Hear>>,
}

impl fmt::Debug for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Noted").field("store", &self.store).finish_non_exhaustive()
    }
}

impl Noted {
    /// Notes what is kept in `store`.
    #[must_use]
    pub fn new(store: Arc<dyn CredentialStore>, notes: Notes) -> Self {
        Self { store, notes, hear: None }
    }

    /// Tells of each secret that is read or written.
    #[must_use]
    pub fn telling(self, hear: Arc<Hear>) -> Self {
        Self { hear: Some(hear), ..self }
    }

    /// The notes.
    #[must_use]
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    fn tell(&self, key: &Key, text: &Secret<String>) {
        let Some(hear) = &self.hear else { return };
        match key {
            Key::Server { .. } => {
                if let Ok(Kept::Tokens(tokens)) = Kept::read(text) {
                    hear(&tokens.access_token);
                    tokens.refresh_token.iter().chain(&tokens.client.secret).for_each(|secret| hear(secret));
                }
            }
            Key::Issuer { .. } => {
                if let Some(registration) = Registration::read(text) {
                    registration.client_secret.iter().for_each(|secret| hear(secret));
                }
            }
        }
    }

    /// Notes what an entry is.
    async fn note(&self, key: &Key, entry: Option<&Entry>, change: Change) {
        if let Some(entry) = entry {
            self.tell(key, &entry.text);
        }
        if let Key::Server { .. } = key {
            let (notes, key, of) = (self.notes.clone(), key.clone(), NoteOf::entry(entry));
            let put = move || {
                notes.put(&key, of, |note| match change {
                    Change::Seen => note.asked.clone(),
                    Change::Made => None,
                });
                Ok(())
            };
            // A note is a hint.
            let _ = aside("the notes", DISK, put).await;
        }
    }
}

/// How an entry came to be noted.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// It was there.
    Seen,
    /// It took the place of another one: what the server asked for is done.
    Made,
}

#[async_trait]
impl CredentialStore for Noted {
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        let entry = self.store.load(key).await?;
        self.note(key, entry.as_ref(), Change::Seen).await;
        Ok(entry)
    }

    async fn may_hold(&self, key: &Key) -> bool {
        let Key::Server { .. } = key else { return true };
        let (notes, key) = (self.notes.clone(), key.clone());
        let look = move || Ok(notes.of(&key).of != NoteOf::Nothing);
        aside("the notes", DISK, look).await.unwrap_or(true)
    }

    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        if let Some(text) = text {
            self.tell(key, text);
        }
        let swapped = self.store.swap(key, expected, text).await?;
        match &swapped {
            Swapped::Done => {
                let entry = text.cloned().map(Entry::new);
                self.note(key, entry.as_ref(), Change::Made).await;
            }
            Swapped::Other(entry) => self.note(key, entry.as_ref(), Change::Seen).await,
        }
        Ok(swapped)
    }

    async fn hold(&self, key: &Key) -> Result<Held, StoreError> {
        self.store.hold(key).await
    }
}
