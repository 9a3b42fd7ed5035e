//! What the server asks of us, until it is answered.

use codewhale_mcp_protocol::{ClientCapabilities, method};

/// A request of the server that waits for our answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ask(u64);

/// The requests of the server that wait for our answer. There are few of them.
#[derive(Debug)]
pub(crate) struct Asks {
    open: Vec<(Ask, Box<str>)>,
    next: u64,
    most: usize,
}

impl Asks {
    pub(crate) fn new(most: usize) -> Self {
        Self { open: Vec::new(), next: 0, most }
    }

    /// Notes one more, unless there are too many.
    pub(crate) fn open(&mut self, id: &str) -> Option<Ask> {
        if self.open.len() >= self.most {
            return None;
        }
        let ask = Ask(self.next);
        self.next += 1;
        self.open.push((ask, id.into()));
        Some(ask)
    }

    /// Whether it still waited.
    pub(crate) fn close(&mut self, ask: Ask) -> bool {
        let before = self.open.len();
        self.open.retain(|(other, _)| *other != ask);
        self.open.len() < before
    }

    /// The server no longer wants the answer to this request.
    pub(crate) fn cancel(&mut self, id: &str) -> Option<Ask> {
        let at = self.open.iter().position(|(_, other)| **other == *id)?;
        Some(self.open.remove(at).0)
    }
}

/// Whether a client with these capabilities may be asked this.
pub(crate) fn is_declared(capabilities: &ClientCapabilities, name: &str) -> bool {
    match name {
        method::ROOTS_LIST => capabilities.roots.is_some(),
        method::SAMPLING_CREATE_MESSAGE => capabilities.sampling.is_some(),
        method::ELICITATION_CREATE => capabilities.elicitation.is_some(),
        _ => false,
    }
}
