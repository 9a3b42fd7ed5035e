//! Where a fake server writes: one buffer and one write a message, in the style of the mode.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// How a line is put on the wire.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Style {
    /// The line and a line feed, in one write.
    #[default]
    Whole,
    /// One byte a write.
    Bytes,
    /// A blank line before, carriage return and line feed after.
    Crlf,
}

/// The far end of an [`Out`].
pub(crate) trait Sink: Send {
    /// One message, without its line end.
    fn message(&mut self, line: &[u8]) -> io::Result<()>;
    /// Bytes as they are.
    fn raw(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// Sees every message before it is written.
pub(crate) trait Watch: Send + Sync {
    fn sent(&self, line: &[u8]);
}

/// A handle that any thread may write messages with.
#[derive(Clone)]
pub(crate) struct Out {
    sink: Arc<Mutex<Box<dyn Sink>>>,
    record: Record,
    watch: Option<Arc<dyn Watch>>,
}

impl Out {
    pub(crate) fn new(sink: Box<dyn Sink>, record: Record) -> Out {
        Out { sink: Arc::new(Mutex::new(sink)), record, watch: None }
    }

    /// What knows this handle and its clones without keeping their end open.
    pub(crate) fn mark(&self) -> Mark {
        Mark(Arc::downgrade(&self.sink))
    }

    /// Whether the mark is of this handle or of a clone.
    pub(crate) fn is(&self, mark: &Mark) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.sink), mark.0.as_ptr())
    }

    /// The same, with somebody who sees every message.
    pub(crate) fn watched(self, watch: Option<Arc<dyn Watch>>) -> Out {
        Out { watch, ..self }
    }

    /// Writes one message. A client that has gone away ends this process.
    pub(crate) fn message(&self, line: impl AsRef<[u8]>) {
        self.record.note("out", line.as_ref());
        if let Some(watch) = &self.watch {
            watch.sent(line.as_ref());
        }
        if self.sink().message(line.as_ref()).is_err() {
            self.record.note("end", b"closed");
            crate::leave(0);
        }
    }

    /// Records that the client broke a rule.
    pub(crate) fn violation(&self, what: &str) {
        self.record.note("violation:", what.as_bytes());
    }

    /// Writes bytes as they are. A client that has gone away ends this process.
    pub(crate) fn raw(&self, bytes: &[u8]) {
        if self.sink().raw(bytes).is_err() {
            crate::leave(0);
        }
    }

    fn sink(&self) -> MutexGuard<'_, Box<dyn Sink>> {
        self.sink.lock().expect("no writer panics while it holds the lock")
    }
}

/// Knows an [`Out`].
pub(crate) struct Mark(Weak<Mutex<Box<dyn Sink>>>);

/// The standard output of a stdio server.
pub(crate) struct Stdout {
    pub(crate) style: Style,
}

impl Sink for Stdout {
    fn message(&mut self, line: &[u8]) -> io::Result<()> {
        let mut whole = Vec::with_capacity(line.len() + 4);
        if self.style == Style::Crlf {
            whole.extend_from_slice(b"\r\n");
        }
        whole.extend_from_slice(line);
        whole.extend_from_slice(if self.style == Style::Crlf { b"\r\n" } else { b"\n" });
        self.raw(&whole)
    }

    fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.style == Style::Bytes {
            for byte in bytes {
                stdout.write_all(std::slice::from_ref(byte))?;
                stdout.flush()?;
            }
            return Ok(());
        }
        stdout.write_all(bytes)?;
        stdout.flush()
    }
}

/// Gets every line in and out: a file, shared by all processes that are told of it, and whoever listens.
#[derive(Clone, Default)]
pub(crate) struct Record {
    file: Option<Arc<File>>,
    heard: Option<Arc<dyn Heard>>,
}

/// Hears every note of a record.
pub(crate) trait Heard: Send + Sync {
    fn note(&self, kind: &str, line: &[u8]);
}

impl Record {
    pub(crate) fn open(path: Option<String>) -> Result<Record, String> {
        let Some(path) = path else { return Ok(Record::default()) };
        let file = File::options().append(true).create(true).open(&path);
        file.map(|file| Record { file: Some(Arc::new(file)), heard: None })
            .map_err(|fault| format!("record {path}: {fault}"))
    }

    /// The same, with somebody who hears every note.
    pub(crate) fn heard_by(self, heard: Arc<dyn Heard>) -> Record {
        Record { heard: Some(heard), ..self }
    }

    /// Appends `kind line` in one write, so that lines of several processes do not mix.
    pub(crate) fn note(&self, kind: &str, line: &[u8]) {
        if let Some(heard) = &self.heard {
            heard.note(kind, line);
        }
        let Some(file) = &self.file else { return };
        let mut whole = format!("{kind} ").into_bytes();
        whole.extend_from_slice(line);
        whole.push(b'\n');
        // A full disk shows in the test that reads the record.
        let _ = file.as_ref().write_all(&whole);
    }
}
