//! Where credentials are kept between runs.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use ring::digest::{SHA256, digest};

use super::Key;

/// A place for credentials that several processes share.
///
/// What is kept is one text for each key, a few kilobytes at most, which the store does not look into. Nobody writes
/// without knowing what they replace: [`Self::swap`] does nothing when somebody else was faster.
#[async_trait]
pub trait CredentialStore: Send + Sync + fmt::Debug {
    /// What is kept, `None` when nothing is.
    ///
    /// # Errors
    /// [`StoreError`]. An entry of which a part is missing is none.
    async fn load(&self, key: &Key) -> Result<Option<Entry>, StoreError>;

    /// Whether a look is worth it: `false` where nothing was kept, as far as that can be told without one. To look may
    /// mean that a person is asked to open their keyring.
    async fn may_hold(&self, _key: &Key) -> bool {
        true
    }

    /// Puts `text` in the place of the entry of version `expected`, or takes the entry away. `expected` is `None` when
    /// there must not be one. It is on the disk when this returns.
    ///
    /// # Errors
    /// [`StoreError`]; the former entry is still there then.
    async fn swap(
        &self,
        key: &Key,
        expected: Option<&Version>,
        text: Option<&Secret<String>>,
    ) -> Result<Swapped, StoreError>;

    /// Keeps every other holder away, in this process and in others, until it is dropped. Neither [`Self::load`] nor
    /// [`Self::swap`] needs it: it is for what must be done once, such as to spend a refresh token.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when others keep it for too long.
    async fn hold(&self, key: &Key) -> Result<Held, StoreError>;
}

/// What is kept under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The text.
    pub text: Secret<String>,
    /// Its version.
    pub version: Version,
}

impl Entry {
    /// An entry of a text.
    #[must_use]
    pub fn new(text: Secret<String>) -> Self {
        let version = Version::of(&text);
        Self { text, version }
    }
}

/// The version of an entry: two are the same when the texts are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Version([u8; 32]);

impl Version {
    /// The version of a text.
    #[must_use]
    pub fn of(text: &Secret<String>) -> Self {
        let hash = digest(&SHA256, text.expose().as_bytes());
        Self(hash.as_ref().try_into().expect("SHA-256 has 32 bytes"))
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Version({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

/// What came of a swap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swapped {
    /// The entry is the new one.
    Done,
    /// It is another one than was expected, and stays.
    Other(Option<Entry>),
}

/// What keeps others away until it is dropped. To drop it may block for as long as it takes to close a file.
pub struct Held(#[expect(dead_code, reason = "it is kept to be dropped")] Box<dyn Any + Send>);

impl Held {
    /// Holds on to a lock.
    #[must_use]
    pub fn new(lock: impl Any + Send) -> Self {
        Self(Box::new(lock))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Held")
    }
}

/// Credentials cannot be read or written. The texts never show any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store does not work.
    #[error("the credential store cannot be used: {reason}")]
    Unusable {
        /// What the system said.
        reason: String,
    },
    /// Somebody else holds the credentials.
    #[error("the credentials are in use elsewhere for more than {} s", limit.as_secs())]
    Busy {
        /// How long we waited.
        limit: Duration,
    },
    /// What is kept cannot be read, which is not the same as that nothing is kept.
    #[error("{what} cannot be read: {reason}")]
    Damaged {
        /// What is damaged and where it is, such as a file with its path. To take it away mends it.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The system has no keyring.
    #[error("the system has no keyring: {reason}")]
    Absent {
        /// What the system said.
        reason: String,
    },
    /// The system's keyring is there, and its owner has not opened it.
    #[error("the system's keyring is locked: {reason}")]
    Locked {
        /// What the keyring said.
        reason: String,
    },
    /// They are more than can be kept.
    #[error("{bytes} bytes are too many to keep, the limit is {limit}")]
    TooLarge {
        /// How many they are.
        bytes: usize,
        /// How many may be kept.
        limit: usize,
    },
}
