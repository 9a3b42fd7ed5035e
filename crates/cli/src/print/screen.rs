//! What a test sees of what was written.

use std::io;
use std::sync::{Arc, Mutex};

/// Keeps everything that is written to it or to one of its clones.
#[derive(Clone, Default)]
pub(super) struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    /// Everything so far.
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no writer panics").clone()).expect("text")
    }
}

impl io::Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
