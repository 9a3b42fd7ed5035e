//! What is known of logins without a look at the credentials: none of it is secret.

use std::path::PathBuf;
use std::time::SystemTime;

use codewhale_mcp_store::{Mode, create_private_folder, read_bounded, replace};
use serde::{Deserialize, Serialize};

use super::name::hash;
use crate::credentials::{Entry, Kept, Key};
use crate::world::{at, seconds};

/// The longest note that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// What is known of one server's login.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What is kept.
    #[serde(default)]
    pub of: NoteOf,
    /// That the server asked for a login since, where what is kept does not do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// What is kept of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kept", rename_all = "snake_case")]
pub enum NoteOf {
    /// Nothing.
    #[default]
    Nothing,
    /// The mark of a logout.
    LoggedOut,
    /// Tokens.
    Tokens {
        /// Whose they are.
        issuer: String,
        /// The scopes that were granted.
        scopes: String,
        /// When the token ends, in seconds since 1970.
        expires_at: Option<u64>,
        /// Whether another one is had without a login.
        renews: bool,
    },
}

/// A server asked for a login.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The scopes that it named, if the token has too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<String>,
}

impl NoteOf {
    /// What is to be noted of an entry. One that cannot be read is none.
    pub(super) fn entry(entry: Option<&Entry>) -> Self {
        match entry.map(|entry| Kept::read(&entry.text)) {
            Some(Ok(Kept::Tokens(tokens))) => Self::Tokens {
                issuer: tokens.issuer,
                scopes: tokens.granted.to_string(),
                expires_at: tokens.expires_at.map(seconds),
                renews: tokens.refresh_token.is_some(),
            },
            Some(Ok(Kept::LoggedOut)) => Self::LoggedOut,
            Some(Err(_)) | None => Self::Nothing,
        }
    }

    /// When a token ends.
    #[must_use]
    pub fn ends_at(&self) -> Option<SystemTime> {
        match self {
            Self::Tokens { expires_at, .. } => expires_at.map(at),
            _ => None,
        }
    }
}

/// The notes of all servers, a file each. They are hints: what they say of credentials is put right when those are next
/// looked at, and that they cannot be written is no failure.
#[derive(Debug, Clone)]
pub struct Notes {
    folder: PathBuf,
}

impl Notes {
    /// In the folder of the credentials, which need not exist.
    #[must_use]
    pub fn beside(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into().join("logins") }
    }

    /// What is noted of a server; nothing where there is no note. It blocks for as long as it takes to read a small file.
    #[must_use]
    pub fn of(&self, key: &Key) -> Note {
        let read = read_bounded(&self.path(key), LONGEST).ok();
        read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Notes that a server asked for a login. It blocks.
    pub fn ask(&self, key: &Key, asked: Asked) {
        let note = self.of(key);
        self.write(key, &note, Note { asked: Some(asked), ..note.clone() });
    }

    /// Takes back that a server asked for a login. It blocks.
    pub fn answer(&self, key: &Key) {
        let note = self.of(key);
        self.write(key, &note, Note { asked: None, ..note.clone() });
    }

    /// Notes what is kept; whatever the server asked for stands, or does not. It blocks.
    pub(super) fn put(&self, key: &Key, of: NoteOf, asked: impl FnOnce(&Note) -> Option<Asked>) {
        let note = self.of(key);
        let new = Note { of, asked: asked(&note) };
        self.write(key, &note, new);
    }

    fn write(&self, key: &Key, old: &Note, new: Note) {
        if *old == new || create_private_folder(&self.folder).is_err() {
            return;
        }
        let text = serde_json::to_vec(&new).expect("its members are texts and numbers");
        // A hint that cannot be kept is one that is not there.
        let _ = replace(&self.path(key), &text, Mode::Private);
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(hash(key)).with_extension("json")
    }
}
