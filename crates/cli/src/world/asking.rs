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

/// A line, and whether it was waited for before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// For whoever asks now.
    Fresh(String),
    /// Somebody waited for it first and gave up, so that it may have been typed for their question.
    Stale(String),
}

type Wait = JoinHandle<io::Result<Option<String>>>;

impl Asking {
    pub(crate) fn new(person: Box<dyn Person>) -> Self {
        Self { person: Arc::new(Mutex::new(person)), wait: Arc::default() }
    }

    /// The next line, or `None` when there will be no more. A terminal cannot be told that nobody waits any more, so a
    /// line that somebody gave up waiting for belongs to the next who asks.
    pub(crate) async fn line(&self) -> io::Result<Option<String>> {
        Ok(self.typed().await?.map(|(Typed::Fresh(line) | Typed::Stale(line))| line))
    }

    /// As [`line`](Self::line), for questions to which no line of another question may be the answer.
    pub(crate) async fn typed(&self) -> io::Result<Option<Typed>> {
        let mut wait = self.wait.lock().await;
        let of = if wait.is_some() { Typed::Stale } else { Typed::Fresh };
        let person = self.person.clone();
        let read = move || person.lock().unwrap_or_else(PoisonError::into_inner).answer();
        let line = wait.get_or_insert_with(|| tokio::task::spawn_blocking(read)).await;
        *wait = None;
        line.unwrap_or(Ok(None)).map(|line| line.map(of))
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
    fn only_the_line_of_a_wait_that_was_given_up_is_stale() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (sender, lines) = sync_channel(2);
            let asking = Asking::new(Box::new(Slow(lines)));
            assert!(tokio::time::timeout(std::time::Duration::ZERO, asking.line()).await.is_err());
            sender.send("y").unwrap();
            sender.send("n").unwrap();
            assert_eq!(asking.typed().await.unwrap(), Some(Typed::Stale("y".into())));
            assert_eq!(asking.typed().await.unwrap(), Some(Typed::Fresh("n".into())));
            drop(sender);
            assert_eq!(asking.typed().await.unwrap(), None);
        });
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
