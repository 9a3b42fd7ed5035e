//! The keyring of the platform: Secret Service, Keychain, Credential Manager.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use codewhale_mcp_redact::Secret;
use keyring_core::api::CredentialStoreApi as _;
use keyring_core::{Entry, Error};

use super::vault::{Vault, VaultError};

#[cfg(target_os = "macos")]
use apple_native_keyring_store::keychain::Store;
#[cfg(windows)]
use windows_native_keyring_store::Store;
#[cfg(all(unix, not(target_os = "macos")))]
use zbus_secret_service_keyring_store::Store;

/// What our entries are found by, and shown as.
const SERVICE: &str = "codewhale";

/// The keyring of the platform.
pub struct SystemKeyring(Option<Arc<Store>>);

/// To take leave of a keyring blocks too, so it is done aside: whoever drops the last handle may be an async runtime.
impl Drop for SystemKeyring {
    fn drop(&mut self) {
        let store = self.0.take();
        let _ = std::thread::Builder::new().name("keyring".to_owned()).spawn(move || drop(store));
    }
}

impl fmt::Debug for SystemKeyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemKeyring")
    }
}

/// Opens the keyring of the platform. It blocks, and must not be called by a thread of an async runtime.
///
/// # Errors
/// [`VaultError::Absent`] when none can be reached.
pub fn open_system() -> Result<Arc<dyn Vault>, VaultError> {
    match Store::new() {
        Ok(store) => Ok(Arc::new(SystemKeyring(Some(store)))),
        Err(error) => Err(VaultError::Absent { reason: said(&error) }),
    }
}

impl SystemKeyring {
    fn entry(&self, name: &str) -> Result<Entry, VaultError> {
        let label = format!("codewhale: {name}");
        let labelled = HashMap::from([("label", label.as_str())]);
        let modifiers = cfg!(all(unix, not(target_os = "macos"))).then_some(&labelled);
        let store = self.0.as_ref().expect("it is there until it is dropped");
        store.build(SERVICE, name, modifiers).map_err(refused)
    }
}

impl Vault for SystemKeyring {
    fn read(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        match self.entry(name)?.get_secret() {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(Secret::new(text))),
                Err(_) => Err(VaultError::Damaged { reason: "it is not text".to_owned() }),
            },
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    fn write(&self, name: &str, value: &Secret<String>) -> Result<(), VaultError> {
        self.entry(name)?.set_secret(value.expose().as_bytes()).map_err(refused)
    }

    fn remove(&self, name: &str) -> Result<(), VaultError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(refused(error)),
        }
    }

    /// Credential Manager takes `CRED_MAX_CREDENTIAL_BLOB_SIZE` bytes.
    fn longest(&self) -> Option<usize> {
        cfg!(windows).then_some(5 * 512)
    }
}

fn refused(error: Error) -> VaultError {
    if is_absent(&error) {
        return VaultError::Absent { reason: said(&error) };
    }
    let reason = said(&error);
    match error {
        Error::NoStorageAccess(_) => VaultError::Locked { reason },
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::Ambiguous(_) => {
            VaultError::Damaged { reason }
        }
        _ => VaultError::Failed { reason },
    }
}

/// Whether the service is there but has no place to keep anything, or is gone.
#[cfg(all(unix, not(target_os = "macos")))]
fn is_absent(error: &Error) -> bool {
    let (Error::PlatformFailure(cause) | Error::NoStorageAccess(cause)) = error else { return false };
    matches!(
        cause.downcast_ref::<secret_service::Error>(),
        Some(secret_service::Error::Unavailable | secret_service::Error::NoResult)
    )
}

/// A session that came over the network has no Credential Manager.
#[cfg(windows)]
fn is_absent(error: &Error) -> bool {
    matches!(error, Error::NoStorageAccess(_))
}

#[cfg(target_os = "macos")]
fn is_absent(_error: &Error) -> bool {
    false
}

/// What an error says without what it holds, which may be the value itself.
fn said(error: &Error) -> String {
    match error {
        Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => cause.to_string(),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "it is not what was written".to_owned(),
        Error::Ambiguous(entries) => format!("there are {} of it", entries.len()),
        other => other.to_string(),
    }
}
