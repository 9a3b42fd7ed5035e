//! What a server says of its own accord.

use std::sync::Arc;

use codewhale_mcp_protocol::{ErrorObject, HeaderFault, Json, MessageParams};
use codewhale_mcp_session::Ignored;

use crate::teller::{Heard, Listener, Teller};
use crate::{ExchangeFault, Gone};

/// Something that happened on a connection without being asked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// The server's list of tools is another one now.
    ToolsChanged,
    /// The server's list of prompts is another one now.
    PromptsChanged,
    /// The server's list of resources is another one now.
    ResourcesChanged,
    /// A resource that was subscribed to is another one now, or a part of it.
    ResourceUpdated {
        /// Its address.
        uri: Arc<str>,
    },
    /// A log message of the server.
    Message(Arc<MessageParams>),
    /// A notification that has no event of its own.
    Notification {
        /// Its method.
        method: Arc<str>,
        /// Its params.
        params: Option<Arc<Json>>,
    },
    /// The server says that it could not read something.
    PeerError(Arc<ErrorObject>),
    /// A line was dropped.
    Dropped {
        /// Its beginning, as it came.
        line: Arc<str>,
        /// Why.
        reason: Ignored,
    },
    /// An answer to the server, or the news that a request is cancelled, did not reach it.
    NotDelivered {
        /// Why.
        fault: Arc<ExchangeFault>,
    },
    /// A tool of the list was left out, because it cannot be called over HTTP.
    ToolLeftOut {
        /// Its name.
        name: Arc<str>,
        /// What is wrong with its `x-mcp-header` annotations.
        fault: Arc<HeaderFault>,
    },
    /// The connection is over.
    Closed(Arc<Gone>),
}

/// Where a connection tells what happens, from before it is opened.
#[derive(Debug, Clone)]
pub struct Observer(pub(crate) Teller);

impl Observer {
    /// An observer to hand to a connection, and the events it sees: all that happen, the last `kept` of them
    /// for a receiver that does not keep up.
    #[must_use]
    pub fn new(kept: usize) -> (Self, Events) {
        let teller = Teller::new(kept);
        let events = Events::new(teller.listener());
        (Self(teller), events)
    }
}

/// The events of a connection from the moment this was made.
#[derive(Debug)]
pub struct Events {
    pub(crate) listener: Listener,
    over: bool,
}

impl Events {
    pub(crate) fn new(listener: Listener) -> Self {
        Self { listener, over: false }
    }

    /// Those of a connection that is over already: none.
    pub(crate) fn over(listener: Listener) -> Self {
        Self { listener, over: true }
    }

    /// The next event, or `None` when the connection is over and every event was seen; [`Event::Closed`] is the
    /// last. A receiver that does not keep up loses the oldest ones.
    pub async fn next(&mut self) -> Option<Event> {
        while !self.over {
            match self.listener.next().await {
                Heard::Event(event) => return Some(self.seen(event)),
                Heard::Missed => {}
                Heard::Over => self.over = true,
            }
        }
        None
    }

    /// An event that is there already.
    pub fn ready(&mut self) -> Option<Event> {
        while !self.over {
            match self.listener.ready()? {
                Heard::Event(event) => return Some(self.seen(event)),
                Heard::Missed => {}
                Heard::Over => return None,
            }
        }
        None
    }

    fn seen(&mut self, event: Event) -> Event {
        self.over = matches!(event, Event::Closed(_));
        event
    }
}
