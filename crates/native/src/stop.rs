//! The end of a call whose answer nobody waits for any more.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Fault;

/// Tells work on another thread that it has become useless. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The work ends at the next place where it looks.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work has become useless.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For a place that looks.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.is_stopped() { Err(Fault::Cancelled) } else { Ok(()) }
    }
}

/// A stream that ends with an error once nobody waits for it.
pub(crate) struct Watched<'s, R> {
    pub(crate) from: R,
    pub(crate) stop: &'s Stop,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::ErrorKind::Other.into());
        }
        self.from.read(into)
    }
}
