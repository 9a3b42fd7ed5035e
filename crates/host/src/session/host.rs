//! What exists before the servers do: the way out, and the caller at its end.

use std::io::{self, Write};
use std::time::SystemTime;

use codewhale_mcp_manager::InProcess;

use crate::caller::Caller;
use crate::sdk::SdkServers;
use crate::wire::{Messages, Outbox, Stamp, uuid};

/// The way out of a session, and the caller at its end. Servers may live with the caller, so this is made before a
/// manager is.
#[derive(Debug)]
pub struct Host {
    pub(super) outbox: Outbox,
    pub(super) messages: Messages,
    pub(super) caller: Caller,
    pub(super) sdk: SdkServers,
}

impl Host {
    /// Messages leave through `output`, written by a thread of their own. Without an id the session gets a random one.
    ///
    /// # Errors
    /// When there can be no thread.
    pub fn new(
        output: Box<dyn Write + Send>,
        session_id: Option<String>,
        clock: fn() -> SystemTime,
    ) -> io::Result<Self> {
        let outbox = Outbox::start(output)?;
        let session_id = session_id.unwrap_or_else(uuid);
        let messages = Messages { stamp: Stamp { session_id, clock } };
        let caller = Caller::new(outbox.clone(), messages.clone());
        let sdk = SdkServers::new(caller.clone());
        Ok(Self { outbox, messages, caller, sdk })
    }

    /// The way to servers that live with the caller, for the manager's setup.
    #[must_use]
    pub fn in_process(&self) -> InProcess {
        self.sdk.in_process()
    }

    /// The id that messages carry.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.messages.stamp.session_id
    }
}
