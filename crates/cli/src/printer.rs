//! The one way out: data to stdout, talk to stderr, nothing raw from a server.

use std::fmt::Display;
use std::io::Write;

use codewhale_mcp_redact::{safe_line, safe_text};

/// Writes output. When a reader has gone, the rest is dropped in silence.
pub(crate) struct Printer<'w> {
    stdout: &'w mut dyn Write,
    stderr: &'w mut dyn Write,
    gone: bool,
}

impl<'w> Printer<'w> {
    pub(crate) fn new(stdout: &'w mut dyn Write, stderr: &'w mut dyn Write) -> Self {
        Self { stdout, stderr, gone: false }
    }

    /// Data: text that may hold several lines and come from a server.
    pub(crate) fn data(&mut self, text: &str) {
        if !self.gone {
            self.gone = writeln!(self.stdout, "{}", safe_text(text)).is_err();
        }
    }

    /// Data as JSON, pretty, control characters escaped as JSON escapes them, those beyond ASCII too.
    pub(crate) fn json(&mut self, value: &serde_json::Value) {
        let text = serde_json::to_string_pretty(value).expect("a value tree has a JSON form");
        let escape = |c: char| ('\u{7f}'..='\u{9f}').contains(&c);
        let mut safe = String::with_capacity(text.len());
        for c in text.chars() {
            if escape(c) {
                safe.push_str(&format!("\\u{:04x}", u32::from(c)));
            } else {
                safe.push(c);
            }
        }
        if !self.gone {
            self.gone = writeln!(self.stdout, "{safe}").is_err();
        }
    }

    /// Talk: one line.
    pub(crate) fn note(&mut self, line: impl Display) {
        // Whoever does not read stderr misses nothing that stdout does not say.
        let _ = writeln!(self.stderr, "{}", safe_line(&line.to_string()));
    }

    pub(crate) fn error(&mut self, what: impl Display) {
        self.note(format_args!("error: {what}"));
    }

    pub(crate) fn hint(&mut self, what: impl Display) {
        self.note(format_args!("hint: {what}"));
    }

    pub(crate) fn finish(&mut self) {
        let _ = self.stdout.flush();
        let _ = self.stderr.flush();
    }
}
