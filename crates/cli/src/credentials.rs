//! Where a run keeps credentials.

use std::path::Path;
use std::sync::Arc;

use codewhale_mcp_auth::store::KeyringOrFile;
use codewhale_mcp_manager::Credentials;

use crate::run::Run;

/// In the system's keyring, or in a file where there is none, which is said once: when the file is made. Secrets that
/// come up are hidden from then on.
pub(crate) fn credentials(run: &Run, home: &Path) -> Credentials {
    let (keyring, printer) = (run.world.keyring.clone(), run.printer.clone());
    let store = KeyringOrFile::new(
        move || keyring(),
        &Credentials::folder(home),
        move |instead| {
            if !instead.file.exists() {
                let file = instead.file.display();
                printer.note(format!(
                    "there is no keyring ({}); credentials go to {file}, which only you can read",
                    instead.reason
                ));
            }
        },
    );
    let printer = run.printer.clone();
    Credentials {
        hear: Arc::new(move |secret| printer.hide([secret])),
        ..Credentials::new(home, Arc::new(store))
    }
}
