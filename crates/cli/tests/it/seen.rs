//! Streams that a test looks at, or nobody.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);

/// A stream that a test can look at while it grows.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Seen {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().expect("no writer panics").clone()).expect("all output is text")
    }

    /// Waits until the stream holds a text; false if it never comes.
    #[must_use]
    pub(crate) fn comes(&self, text: &str) -> bool {
        let lacks = |bytes: &mut Vec<u8>| !String::from_utf8_lossy(bytes).contains(text);
        let bytes = self.0.0.lock().expect("no writer panics");
        !self.0.1.wait_timeout_while(bytes, LONG, lacks).expect("no writer panics").1.timed_out()
    }
}

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().expect("no writer panics").extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A pipe whose reader has gone.
pub(crate) struct Closed;

impl Write for Closed {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
