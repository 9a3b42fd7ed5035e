//! Credentials for one run.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use tokio::sync::Mutex as Turn;

use super::{CredentialStore, Entry, Held, Key, StoreError, Swapped, Version};

/// Keeps credentials for as long as it is there.
#[derive(Default)]
pub struct InMemory {
    entries: Mutex<HashMap<Key, Entry>>,
    turns: Mutex<HashMap<Key, Arc<Turn<()>>>>,
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InMemory")
    }
}

#[async_trait]
impl CredentialStore for InMemory {
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        Ok(self.entries.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let present = entries.get(key);
        if present.map(|entry| &entry.version) != expected {
            return Ok(Swapped::Other(present.cloned()));
        }
        match text {
            Some(text) => entries.insert(key.clone(), Entry::new(text.clone())),
            None => entries.remove(key),
        };
        Ok(Swapped::Done)
    }

    async fn hold(&self, key: &Key) -> Result<Held, StoreError> {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(key.clone()).or_default())
        };
        Ok(Held::new(turn.lock_owned().await))
    }
}
