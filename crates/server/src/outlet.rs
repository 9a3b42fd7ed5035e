//! Where the messages of a request, or of a session, leave.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::lines::Outbox;

/// Where messages leave: each a whole text without an end of line.
#[derive(Debug, Clone)]
pub(crate) enum Outlet {
    /// Between the lines of a connection.
    Lines(Arc<Outbox>),
    /// In an exchange of its own.
    Exchange(mpsc::Sender<Vec<u8>>),
    /// Nowhere: what runs on its own has nobody to tell.
    Nowhere,
}

/// Nobody is there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

impl Outlet {
    /// Sends a message, and waits for room before that.
    pub(crate) async fn send(&self, message: Vec<u8>) -> Result<(), Gone> {
        match self {
            Self::Lines(outbox) => outbox.send(message).await,
            Self::Exchange(sender) => sender.send(message).await.map_err(|_| Gone),
            Self::Nowhere => Err(Gone),
        }
    }

    /// Sends a message without waiting; one for which there is no room is lost.
    pub(crate) fn send_now(&self, message: Vec<u8>) {
        match self {
            Self::Lines(outbox) => outbox.push(&message),
            // It is a courtesy only.
            Self::Exchange(sender) => drop(sender.try_send(message)),
            Self::Nowhere => {}
        }
    }
}
