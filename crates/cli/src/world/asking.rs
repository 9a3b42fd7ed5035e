//! Someone who is asked from many tasks, one after the other.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Mutex as Turn;
use tokio::task::JoinHandle;

use super::Person;

/// Someone who can be asked while signals and servers are listened to. Clones ask the same person.
#[derive(Clone)]
pub(crate) struct Asking {
    person: Arc<Mutex<Box<dyn Person>>>,
    /// The wait for a line, kept when whoever waited has given up.
    wait: Arc<Turn<Option<Wait>>>,
}

type Wait = JoinHandle<io::Result<Option<String>>>;

impl Asking {
    pub(crate) fn new(person: Box<dyn Person>) -> Self {
        Self { person: Arc::new(Mutex::new(person)), wait: Arc::default() }
    }

    /// The next line, or `None` when there will be no more. A terminal cannot be told that nobody waits any more, so a
    /// line that somebody gave up waiting for belongs to the next who asks.
    pub(crate) async fn line(&self) -> io::Result<Option<String>> {
        let mut wait = self.wait.lock().await;
        let person = self.person.clone();
        let read = move || person.lock().unwrap_or_else(PoisonError::into_inner).answer();
        let line = wait.get_or_insert_with(|| tokio::task::spawn_blocking(read)).await;
        *wait = None;
        line.unwrap_or(Ok(None))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};

    use super::*;

    struct Slow(Receiver<&'static str>);

    impl Person for Slow {
        fn answer(&mut self) -> io::Result<Option<String>> {
            Ok(self.0.recv().ok().map(str::to_owned))
        }
    }

    #[test]
    fn a_line_nobody_waits_for_any_more_goes_to_the_next_who_asks() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (sender, lines) = sync_channel(2);
            let asking = Asking::new(Box::new(Slow(lines)));
            let given_up = tokio::time::timeout(std::time::Duration::ZERO, asking.line()).await;
            assert!(given_up.is_err());
            sender.send("one").unwrap();
            sender.send("two").unwrap();
            assert_eq!(asking.line().await.unwrap().as_deref(), Some("one"));
            assert_eq!(asking.line().await.unwrap().as_deref(), Some("two"));
            drop(sender);
            assert_eq!(asking.line().await.unwrap(), None);
        });
    }
}
