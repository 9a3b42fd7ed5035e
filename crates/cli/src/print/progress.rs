//! How far a call has come: a bar on a terminal, lines for those who want them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::ProgressParams;
use codewhale_mcp_redact::safe_line;

use super::bar::Bar;
use super::{Line, Printer, Verbosity};
use crate::world::Terminal;

/// The longest message beside a bar.
const MESSAGE: usize = 60;

/// The most lines that are kept while a person is asked.
const HELD: usize = 200;

/// Tells how far a call has come, and lets others speak in between.
pub(crate) struct Progress {
    printer: Arc<Printer>,
    /// Where a bar can be drawn.
    columns: Option<u16>,
    drawn: Mutex<Drawn>,
}

/// What stands on the screen.
#[derive(Default)]
struct Drawn {
    bar: Option<Bar>,
    /// Whether the bar tells what the server says, not only that it is waited for.
    told: bool,
    /// Lines that wait until the person has answered.
    held: Option<Vec<Line>>,
}

/// While it lives, a person is asked: there is no bar, and nobody else speaks.
pub(crate) struct Quiet<'a>(&'a Progress);

impl Progress {
    pub(crate) fn new(printer: &Arc<Printer>) -> Self {
        let columns = match printer.stderr_terminal() {
            Terminal::Columns(columns) if printer.verbosity() != Verbosity::Quiet => Some(columns),
            _ => None,
        };
        Self { printer: printer.clone(), columns, drawn: Mutex::default() }
    }

    /// The server says how far it is. It may say anything: more than the total, less than before, no number.
    pub(crate) fn update(&self, progress: &ProgressParams) {
        let message =
            progress.message.as_deref().map(|message| self.printer.said(message)).unwrap_or_default();
        let message = safe_line(&message);
        let total = progress.total.filter(|total| total.is_finite() && *total > 0.0);
        let Some(columns) = self.columns else {
            let total = total.map(|total| format!("/{total}")).unwrap_or_default();
            self.printer.detail(
                Line::new().dim("progress: ").plain(format!("{}{total} {message}", progress.progress)),
            );
            return;
        };
        let mut drawn = self.drawn();
        if drawn.held.is_some() {
            return;
        }
        drawn.told = true;
        let bar = drawn.bar.get_or_insert_with(|| Bar::new(&self.printer, columns));
        let message: String = message.chars().take(MESSAGE).collect();
        match total {
            Some(total) => {
                let part = (progress.progress / total).clamp(0.0, 1.0);
                bar.part(if part.is_finite() { part } else { 0.0 }, &message);
            }
            None => bar.unending(&message),
        }
    }

    /// Nothing has come yet: says what is waited for, unless more than that is told already.
    pub(super) fn wait(&self, text: &str) {
        let Some(columns) = self.columns else { return };
        let mut drawn = self.drawn();
        if drawn.held.is_some() || drawn.told {
            return;
        }
        drawn.bar.get_or_insert_with(|| Bar::new(&self.printer, columns)).turn(&safe_line(text));
    }

    /// What somebody else said, without known secrets; for what is cut before it is told.
    pub(crate) fn said(&self, text: &str) -> String {
        self.printer.said(text)
    }

    /// Says something without damage to the bar, or to a question.
    pub(crate) fn note(&self, line: Line) {
        let mut drawn = self.drawn();
        let Drawn { bar, held, .. } = &mut *drawn;
        match (held, bar) {
            (Some(held), _) if held.len() < HELD => held.push(line),
            (Some(_), _) => {}
            (None, Some(bar)) => bar.aside(|| self.printer.note(line)),
            (None, None) => self.printer.note(line),
        }
    }

    /// Makes room for a question.
    pub(crate) fn quiet(&self) -> Quiet<'_> {
        self.finish();
        self.drawn().held.get_or_insert_default();
        Quiet(self)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        let mut drawn = self.drawn();
        drawn.told = false;
        drawn.bar = None;
    }

    fn drawn(&self) -> MutexGuard<'_, Drawn> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        let held = self.0.drawn().held.take();
        held.into_iter().flatten().for_each(|line| self.0.note(line));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::super::screen::Screen;
    use super::super::{Setup, Verbosity};
    use super::*;
    use crate::world::Output;

    #[test]
    fn while_a_person_is_asked_there_is_no_bar_and_notes_wait() {
        let screen = Screen::default();
        let output = |terminal| Output { writer: Box::new(screen.clone()), terminal };
        let printer = Arc::new(Printer::new(Setup {
            stdout: output(Terminal::No),
            stderr: output(Terminal::Columns(80)),
            verbosity: Verbosity::Normal,
            colour: None,
        }));
        let shown = || screen.text();
        let step = ProgressParams { progress: 1.0, total: Some(2.0), ..ProgressParams::default() };
        let progress = Progress::new(&printer);
        progress.update(&step);
        assert!(shown().contains("50%"), "{:?}", shown());
        let quiet = progress.quiet();
        let before = shown();
        progress.update(&step);
        progress.note(Line::from("something"));
        assert_eq!(shown(), before);
        drop(quiet);
        assert!(shown().ends_with("something\n"), "{:?}", shown());
        progress.update(&step);
        assert!(shown()[before.len()..].contains("50%"), "{:?}", shown());
    }
}
