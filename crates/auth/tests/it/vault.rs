//! A keyring in memory that does as it is told.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use codewhale_mcp_auth::store::keyring::{Vault, VaultError};
use codewhale_mcp_redact::Secret;

/// A keyring in memory.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    values: Mutex<BTreeMap<String, Secret<String>>>,
    longest: Option<usize>,
    /// How many more changes it makes before it fails, as if the process had been killed.
    changes: Mutex<Option<usize>>,
    refusal: Mutex<Option<VaultError>>,
}

impl Fake {
    pub(crate) fn with_limit(longest: usize) -> Self {
        Self { longest: Some(longest), ..Self::default() }
    }

    /// Answers everything with this from now on.
    pub(crate) fn refuse(&self, refusal: Option<VaultError>) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
    }

    /// Fails after some more changes.
    pub(crate) fn stop_after(&self, changes: Option<usize>) {
        *self.changes.lock().unwrap() = changes;
    }

    /// How many values there are.
    pub(crate) fn count(&self) -> usize {
        self.values.lock().unwrap().len()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.values.lock().unwrap().keys().cloned().collect()
    }

    /// Changes or drops the values of which the name ends so.
    pub(crate) fn meddle(&self, end: &str, value: Option<&str>) {
        let mut values = self.values.lock().unwrap();
        let name = values.keys().find(|name| name.ends_with(end)).unwrap().clone();
        match value {
            Some(value) => values.insert(name, Secret::new(value.to_owned())),
            None => values.remove(&name),
        };
    }

    fn check(&self) -> Result<(), VaultError> {
        self.refusal.lock().unwrap().clone().map_or(Ok(()), Err)
    }

    fn change(&self) -> Result<(), VaultError> {
        self.check()?;
        match &mut *self.changes.lock().unwrap() {
            Some(0) => Err(VaultError::Failed { reason: "killed".to_owned() }),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Vault for Fake {
    fn read(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        self.check()?;
        Ok(self.values.lock().unwrap().get(name).cloned())
    }

    fn write(&self, name: &str, value: &Secret<String>) -> Result<(), VaultError> {
        self.change()?;
        if let Some(longest) = self.longest {
            assert!(value.expose().len() <= longest, "{name} is longer than {longest}");
        }
        self.values.lock().unwrap().insert(name.to_owned(), value.clone());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), VaultError> {
        self.change()?;
        self.values.lock().unwrap().remove(name);
        Ok(())
    }

    fn longest(&self) -> Option<usize> {
        self.longest
    }
}
