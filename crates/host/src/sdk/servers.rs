//! The servers in the caller's process, by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_manager::InProcess;
use codewhale_mcp_protocol::Json;

use super::connector::SdkConnector;
use super::way::{Mouth, Unheard};
use crate::caller::Caller;

/// The servers in the caller's process. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct SdkServers {
    caller: Caller,
    links: Links,
}

/// Where messages of a server go, by its name: to its latest connection.
pub(super) type Links = Arc<Mutex<HashMap<String, Mouth>>>;

impl SdkServers {
    pub(crate) fn new(caller: Caller) -> Self {
        Self { caller, links: Links::default() }
    }

    /// The way to each of them, for those who connect.
    pub(crate) fn in_process(&self) -> InProcess {
        let Self { caller, links } = self.clone();
        InProcess::new(move |name| {
            Some(Box::new(SdkConnector::new(name.to_owned(), caller.clone(), links.clone())))
        })
    }

    /// A server says something of its own accord.
    pub(crate) fn say(&self, server: &str, message: Json) -> Result<(), Unheard> {
        lock(&self.links).get(server).ok_or(Unheard::NotConnected)?.say(message)
    }
}

pub(super) fn lock(links: &Links) -> MutexGuard<'_, HashMap<String, Mouth>> {
    links.lock().unwrap_or_else(PoisonError::into_inner)
}
