//! The two streams: data on one, talk on the other.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use codewhale_mcp_redact::{Secret, safe_text};
use serde::Serialize;

use super::hidden::Hidden;
use super::line::{Colour, Line, Paint};
use super::one_line;
use crate::world::{Output, Terminal};

/// How much is said beside the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    Normal,
    /// Everything that happens.
    Verbose,
}

/// Data could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrintError {
    /// Whoever read us has read enough.
    #[error("standard output is closed")]
    Closed,
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
    #[error("cannot encode the output as JSON")]
    Encode(#[source] serde_json::Error),
}

impl From<io::Error> for PrintError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Write(error) }
    }
}

/// What a printer is made of.
pub(crate) struct Setup {
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) verbosity: Verbosity,
    /// `Some` where the user decided.
    pub(crate) colour: Option<Colour>,
}

/// The only way out of the program.
///
/// A line is made safe when it is built, a text when it is printed, and known secrets are replaced in both, and in the
/// string values of JSON. Otherwise what a server answered stays as it came.
pub(crate) struct Printer {
    stdout: Mutex<Stream>,
    stderr: Mutex<Stream>,
    hidden: Mutex<Hidden>,
    verbosity: Verbosity,
    printed: AtomicBool,
}

struct Stream {
    output: Output,
    colour: Colour,
}

impl Printer {
    pub(crate) fn new(setup: Setup) -> Self {
        let stream = |output: Output| {
            let fitting = if output.terminal == Terminal::No { Colour::No } else { Colour::Yes };
            Mutex::new(Stream { colour: setup.colour.unwrap_or(fitting), output })
        };
        Self {
            stdout: stream(setup.stdout),
            stderr: stream(setup.stderr),
            hidden: Mutex::default(),
            verbosity: setup.verbosity,
            printed: AtomicBool::new(false),
        }
    }

    /// A printer that nobody reads.
    pub(crate) fn silent() -> Self {
        let output = || Output { writer: Box::new(io::sink()), terminal: Terminal::No };
        let colour = Some(Colour::No);
        Self::new(Setup { stdout: output(), stderr: output(), verbosity: Verbosity::Quiet, colour })
    }

    /// Values that are never to be seen from now on.
    pub(crate) fn hide<'s>(&self, secrets: impl IntoIterator<Item = &'s Secret<String>>) {
        lock(&self.hidden).hide(secrets);
    }

    /// Names that the user gave: they are seen where we say them, also if a secret is the same word.
    pub(crate) fn spare(&self, names: impl IntoIterator<Item = String>) {
        lock(&self.hidden).spare(names);
    }

    /// Names that servers gave: the same, where the secret is a plain word.
    pub(crate) fn spare_words(&self, names: impl IntoIterator<Item = String>) {
        lock(&self.hidden).spare_words(names);
    }

    /// What somebody else said, without any known secret; for what is cut or put into other words before it is printed.
    pub(crate) fn said(&self, text: &str) -> String {
        lock(&self.hidden).said(text).into_owned()
    }

    pub(crate) fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    pub(crate) fn stdout_terminal(&self) -> Terminal {
        lock(&self.stdout).output.terminal
    }

    pub(crate) fn stderr_terminal(&self) -> Terminal {
        lock(&self.stderr).output.terminal
    }

    /// Whether any data was printed.
    pub(crate) fn has_printed(&self) -> bool {
        self.printed.load(Ordering::Relaxed)
    }

    fn stdout(&self) -> MutexGuard<'_, Stream> {
        self.printed.store(true, Ordering::Relaxed);
        lock(&self.stdout)
    }

    /// A line of data.
    pub(crate) fn line(&self, line: impl Into<Line>) -> Result<(), PrintError> {
        let mut stream = self.stdout();
        let rendered = line.into().render(stream.colour, lock(&self.hidden).in_lines());
        Ok(writeln!(stream.output.writer, "{rendered}")?)
    }

    /// A text of many lines in the words of somebody else, as it is but harmless and without known secrets; a line end is put behind it if it has none.
    pub(crate) fn text(&self, text: &str) -> Result<(), PrintError> {
        let said = self.said(text);
        let safe = safe_text(&said);
        let end = if safe.ends_with('\n') { "" } else { "\n" };
        Ok(write!(self.stdout().output.writer, "{safe}{end}")?)
    }

    /// A value for machines, with the known secrets replaced in its strings.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), PrintError> {
        let text = one_line(value, |text| lock(&self.hidden).ours(text));
        Ok(writeln!(self.stdout().output.writer, "{}", text.map_err(PrintError::Encode)?)?)
    }

    /// A value for machines with what a server answered: of that, only known secrets in its strings are replaced.
    pub(crate) fn lossless_json(&self, value: &impl Serialize) -> Result<(), PrintError> {
        let text = one_line(value, |text| lock(&self.hidden).answered(text));
        Ok(writeln!(self.stdout().output.writer, "{}", text.map_err(PrintError::Encode)?)?)
    }

    /// Bytes of our own making, such as a completion script.
    pub(crate) fn script(&self, script: &[u8]) -> Result<(), PrintError> {
        Ok(self.stdout().output.writer.write_all(script)?)
    }

    /// Sees to it that everything so far has left.
    pub(crate) fn flush(&self) -> Result<(), PrintError> {
        Ok(lock(&self.stdout).output.writer.flush()?)
    }

    /// Something worth knowing that is no data.
    pub(crate) fn note(&self, line: impl Into<Line>) {
        if self.verbosity >= Verbosity::Normal {
            self.talk(line.into());
        }
    }

    /// Something that only the curious want to know.
    pub(crate) fn detail(&self, line: impl Into<Line>) {
        if self.verbosity >= Verbosity::Verbose {
            self.talk(line.into());
        }
    }

    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        self.note(Line::new().add(Paint::Odd, "warning:").plain(" ").plain(text));
    }

    pub(crate) fn error(&self, text: impl AsRef<str>) {
        self.talk(Line::new().add(Paint::Bad, "error:").plain(" ").plain(text));
    }

    /// The next step.
    pub(crate) fn hint(&self, text: impl AsRef<str>) {
        self.note(Line::new().add(Paint::Good, "hint:").plain(" ").plain(text));
    }

    /// A line of talk, whatever the verbosity.
    pub(crate) fn talk(&self, line: Line) {
        self.data_first();
        let mut stream = lock(&self.stderr);
        let rendered = line.render(stream.colour, lock(&self.hidden).in_lines());
        // Nobody is left to hear that nobody hears.
        let _ = writeln!(stream.output.writer, "{rendered}").and_then(|()| stream.output.writer.flush());
    }

    /// On one terminal, what came first is seen first.
    fn data_first(&self) {
        let mut stream = lock(&self.stdout);
        if stream.output.terminal != Terminal::No {
            // Whoever prints data learns of that soon enough.
            let _ = stream.output.writer.flush();
        }
    }

    /// A question: like a line of talk, and the cursor stays behind it.
    pub(crate) fn question(&self, line: Line) {
        self.data_first();
        let mut stream = lock(&self.stderr);
        let rendered = line.render(stream.colour, lock(&self.hidden).in_lines());
        let _ = write!(stream.output.writer, "{rendered} ").and_then(|()| stream.output.writer.flush());
    }

    /// Writes a terminal's own control sequences beside the talk; for the progress bar alone.
    pub(crate) fn control(&self, sequence: &str) {
        let mut stream = lock(&self.stderr);
        let _ =
            stream.output.writer.write_all(sequence.as_bytes()).and_then(|()| stream.output.writer.flush());
    }

    pub(crate) fn flush_talk(&self) {
        let _ = lock(&self.stderr).output.writer.flush();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
