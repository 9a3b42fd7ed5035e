//! The way of a server's messages to its connection, with room for some of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codewhale_mcp_protocol::Json;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// How many messages wait for a connection to take them.
const WAITING: usize = 256;

/// How many bytes of them, save that one may be longer.
const ROOM: usize = 8 << 20;

/// What a server says did not reach its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unheard {
    #[error("nobody is connected to it")]
    NotConnected,
    #[error("it says more than is listened to, so this message was left out")]
    TooMuch,
}

/// Where messages to a connection are left.
#[derive(Debug, Clone)]
pub(super) struct Mouth {
    said: mpsc::Sender<Json>,
    bytes: Arc<AtomicUsize>,
}

/// Where a connection finds them.
#[derive(Debug)]
pub(super) struct Ear {
    said: mpsc::Receiver<Json>,
    bytes: Arc<AtomicUsize>,
}

/// Both ends of the way to a connection.
pub(super) fn way() -> (Mouth, Ear) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let bytes = Arc::new(AtomicUsize::new(0));
    (Mouth { said: sender, bytes: bytes.clone() }, Ear { said: receiver, bytes })
}

impl Mouth {
    /// Leaves an answer that was asked for; waits for room.
    pub(super) async fn answer(&self, message: Json) {
        let bytes = message.as_str().len();
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if self.said.send(message).await.is_err() {
            // The client has left, and so has whoever waits here in a moment.
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Leaves what is said unasked.
    pub(super) fn say(&self, message: Json) -> Result<(), Unheard> {
        let (bytes, waiting) = (message.as_str().len(), self.bytes.load(Ordering::Relaxed));
        if waiting > 0 && waiting.saturating_add(bytes) > ROOM {
            return Err(Unheard::TooMuch);
        }
        // Before it is sent: whoever takes it counts it out again.
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.said.try_send(message).map_err(|error| {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => Unheard::TooMuch,
                TrySendError::Closed(_) => Unheard::NotConnected,
            }
        })
    }
}

impl Ear {
    /// The next message. There is no end while a `Mouth` is left.
    pub(super) async fn next(&mut self) -> Option<Json> {
        let message = self.said.recv().await?;
        self.bytes.fetch_sub(message.as_str().len(), Ordering::Relaxed);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: usize) -> Json {
        Json::from_text(format!("\"{}\"", "x".repeat(bytes - 2))).expect("it is a JSON text")
    }

    #[test]
    fn what_a_server_says_has_room_for_some_messages_and_some_bytes() {
        let (mouth, _ear) = way();
        // One that has no other before it may be as long as it is.
        assert_eq!(mouth.say(message(2 * ROOM)), Ok(()));
        assert_eq!(mouth.say(message(2)), Err(Unheard::TooMuch));
        let (mouth, ear) = way();
        let told = (0..).take_while(|_| mouth.say(message(2)).is_ok()).count();
        assert_eq!((told, mouth.say(message(2))), (WAITING, Err(Unheard::TooMuch)));
        drop(ear);
        assert_eq!(mouth.say(message(2)), Err(Unheard::NotConnected));
    }

    #[tokio::test]
    async fn what_was_heard_makes_room() {
        let (mouth, mut ear) = way();
        for _ in 0..3 {
            assert_eq!(mouth.say(message(ROOM)), Ok(()));
            assert_eq!(mouth.say(message(ROOM)), Err(Unheard::TooMuch));
            mouth.answer(message(ROOM)).await;
            assert!(ear.next().await.is_some() && ear.next().await.is_some());
        }
    }
}
