//! Files that several processes share.
//!
//! A writer takes the [`Lock`] of a file, reads it with [`read_bounded`], and puts the new content in its place with
//! [`replace`], or with [`replace_unsynced`] where it can be found out again. Readers need no lock: they see the old
//! file or the new one, whole.
//!
//! The crate knows nothing of what the files hold. All calls block, for as long as the time limit of a lock or the
//! disk takes; call them off an async runtime.
//!
//! ```
//! use std::time::Duration;
//!
//! use codewhale_mcp_store::{Lock, Mode, read_bounded, replace};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("state.json");
//! let lock = Lock::acquire(&path, Duration::from_secs(5))?;
//! lock.remove_leftovers();
//! replace(&path, b"{}\n", Mode::Private)?;
//! drop(lock);
//! assert_eq!(read_bounded(&path, 1024)?, b"{}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod folder;
mod lock;
mod read;
mod replace;
mod target;

pub use folder::{FolderError, create_private_folder};
pub use lock::{Lock, LockError};
pub use read::{ReadError, read_bounded};
pub use replace::{Mode, ReplaceError, is_leftover, replace, replace_unsynced};
