//! What is kept, read and written.

use crate::LoginError;
use crate::credentials::{CredentialStore, Kept, Key, StoreError, Swapped, Version};
use crate::flow::{Settings, Tokens};
use crate::registration::{Client, Registration, Source};

/// What is kept of one server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Books<'a> {
    pub(super) settings: &'a Settings,
    pub(super) store: &'a dyn CredentialStore,
}

/// How often somebody else may be faster.
const TRIES: usize = 16;

impl Books<'_> {
    pub(super) fn key(&self) -> Key {
        self.settings.key()
    }

    /// What is kept, with its version. Tokens that are for something else than is configured now are none.
    pub(super) async fn kept(&self) -> Result<(Option<Kept>, Option<Version>), LoginError> {
        let Some(entry) = self.store.load(&self.key()).await? else { return Ok((None, None)) };
        let kept = match Kept::read(&entry.text)? {
            Kept::Tokens(tokens) => self.ours(*tokens).map(|tokens| Kept::Tokens(Box::new(tokens))),
            Kept::LoggedOut => Some(Kept::LoggedOut),
        };
        Ok((kept, Some(entry.version)))
    }

    /// Keeps something, whatever was kept before.
    pub(super) async fn keep(&self, kept: &Kept) -> Result<(), LoginError> {
        let key = self.key();
        let text = kept.write();
        let mut version = self.store.load(&key).await?.map(|entry| entry.version);
        for _ in 0..TRIES {
            match self.store.swap(&key, version.as_ref(), Some(&text)).await? {
                Swapped::Done => return Ok(()),
                Swapped::Other(entry) => version = entry.map(|entry| entry.version),
            }
        }
        Err(contended())
    }

    pub(super) async fn registration(&self, issuer: &str) -> Result<Option<Registration>, LoginError> {
        let entry = self.store.load(&Key::Issuer { issuer: issuer.to_owned() }).await?;
        Ok(entry.and_then(|entry| Registration::read(&entry.text)))
    }

    /// Keeps a registration, or none.
    pub(super) async fn register(
        &self,
        issuer: &str,
        registration: Option<&Registration>,
    ) -> Result<(), LoginError> {
        let key = Key::Issuer { issuer: issuer.to_owned() };
        let text = registration.map(Registration::write);
        let mut version = self.store.load(&key).await?.map(|entry| entry.version);
        for _ in 0..TRIES {
            match self.store.swap(&key, version.as_ref(), text.as_ref()).await? {
                Swapped::Done => return Ok(()),
                Swapped::Other(entry) => version = entry.map(|entry| entry.version),
            }
        }
        Err(contended())
    }

    /// Forgets the registration of a client, if it is still the one that is kept.
    pub(super) async fn unregister(&self, issuer: &str, client: &Client) -> Result<(), LoginError> {
        let key = Key::Issuer { issuer: issuer.to_owned() };
        if client.source == Source::Registered
            && let Some(entry) = self.store.load(&key).await?
            && Registration::read(&entry.text).is_none_or(|kept| kept.client_id == client.id)
        {
            self.store.swap(&key, Some(&entry.version), None).await?;
        }
        Ok(())
    }

    /// Tokens as they can be used with what is configured now.
    fn ours(&self, mut tokens: Tokens) -> Option<Tokens> {
        let Settings { names, resource, .. } = self.settings;
        if resource.as_ref().is_some_and(|resource| *resource != tokens.resource) {
            return None;
        }
        if let Some(preset) = &names.preset {
            let foreign = preset.issuer.as_ref().is_some_and(|issuer| *issuer != tokens.issuer);
            if foreign || preset.id != tokens.client.id {
                return None;
            }
            tokens.client = Client { method: tokens.client.method, ..preset.into() };
        } else if tokens.client.source == Source::Configured {
            return None;
        }
        Some(tokens)
    }
}

fn contended() -> LoginError {
    StoreError::Unusable { reason: "others write all the time".to_owned() }.into()
}
