//! What a keyring has to offer.

use std::fmt;

use codewhale_mcp_redact::Secret;
use thiserror::Error;

/// Small secret values under names. All calls block, for as long as it takes a person to open the keyring.
pub trait Vault: Send + Sync + fmt::Debug {
    /// The value of a name, `None` when there is none.
    ///
    /// # Errors
    /// [`VaultError`].
    fn read(&self, name: &str) -> Result<Option<Secret<String>>, VaultError>;

    /// Puts a value in the place of the one that there may be.
    ///
    /// # Errors
    /// [`VaultError`].
    fn write(&self, name: &str, value: &Secret<String>) -> Result<(), VaultError>;

    /// Takes a value away; there need not be one.
    ///
    /// # Errors
    /// [`VaultError`].
    fn remove(&self, name: &str) -> Result<(), VaultError>;

    /// The longest value in bytes, `None` when nobody sets a limit.
    fn longest(&self) -> Option<usize>;
}

/// Why a keyring does not do what it is asked. Nothing in it is secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VaultError {
    /// There is no keyring.
    #[error("there is none: {reason}")]
    Absent {
        /// What the system said.
        reason: String,
    },
    /// There is one, and its owner has not opened it.
    #[error("it is locked: {reason}")]
    Locked {
        /// What it said.
        reason: String,
    },
    /// What it holds is no text of ours.
    #[error("what it holds cannot be read: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// Anything else.
    #[error("it failed: {reason}")]
    Failed {
        /// What it said.
        reason: String,
    },
}
