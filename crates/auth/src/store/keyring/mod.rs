//! The system's keyring.
//!
//! A keyring keeps small values under names and knows neither locks nor versions: [`InKeyring`] brings both, and cuts
//! a text into parts where one value cannot hold it. What speaks to the system is a [`Vault`]; with the feature
//! `keyring` there is one of the platform.

mod parts;
mod store;
#[cfg(feature = "keyring")]
mod system;
mod vault;

pub use store::InKeyring;
pub(super) use store::refused;
#[cfg(feature = "keyring")]
pub use system::{SystemKeyring, open_system};
pub use vault::{Vault, VaultError};
