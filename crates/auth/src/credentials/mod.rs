//! Credentials that outlive the process: where they are kept, and what is kept.

mod kept;
mod key;
mod memory;
mod store;

pub use kept::Kept;
pub use key::Key;
pub use memory::InMemory;
pub use store::{CredentialStore, Entry, Held, StoreError, Swapped, Version};
