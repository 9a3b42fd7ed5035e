//! How far a call has come: a bar on a terminal, lines for those who want them.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codewhale_mcp_protocol::ProgressParams;
use codewhale_mcp_redact::safe_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::{Line, Printer, Verbosity};
use crate::world::Terminal;

/// A fraction as a whole number of steps, which is what a bar counts.
const STEPS: f64 = 1_000.0;
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
    bar: Option<ProgressBar>,
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
        let bar = drawn.bar.get_or_insert_with(|| bar(&self.printer, columns));
        match total {
            Some(total) => {
                let part = (progress.progress / total).clamp(0.0, 1.0);
                bar.set_style(style("{wide_bar} {percent:>3}% {msg}"));
                bar.set_length(STEPS as u64);
                bar.set_position(if part.is_finite() { (part * STEPS) as u64 } else { 0 });
            }
            None => {
                bar.set_style(style("{spinner} {elapsed} {msg}"));
                bar.tick();
            }
        }
        bar.set_message(message.chars().take(MESSAGE).collect::<String>());
    }

    /// Nothing has come yet: says what is waited for, unless more than that is told already.
    pub(super) fn wait(&self, text: &str) {
        let Some(columns) = self.columns else { return };
        let mut drawn = self.drawn();
        if drawn.held.is_some() || drawn.told {
            return;
        }
        let bar = drawn.bar.get_or_insert_with(|| bar(&self.printer, columns));
        bar.set_style(style("{spinner} {wide_msg}"));
        bar.set_message(safe_line(text).into_owned());
        bar.tick();
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
            (None, Some(bar)) => bar.suspend(|| self.printer.note(line)),
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
        if let Some(bar) = drawn.bar.take() {
            bar.finish_and_clear();
        }
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

fn bar(printer: &Arc<Printer>, columns: u16) -> ProgressBar {
    let target = ProgressDrawTarget::term_like(Box::new(Talk { printer: printer.clone(), columns }));
    ProgressBar::with_draw_target(Some(STEPS as u64), target)
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the templates are ours");
    style.progress_chars("##-").tick_chars("-\\|/ ")
}

/// Standard error as a place where a bar is drawn.
struct Talk {
    printer: Arc<Printer>,
    columns: u16,
}

impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talk").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Talk {
    fn step(&self, count: usize, direction: char) -> io::Result<()> {
        if count > 0 {
            self.printer.control(&format!("\u{1b}[{count}{direction}"));
        }
        Ok(())
    }
}

impl TermLike for Talk {
    fn width(&self) -> u16 {
        self.columns
    }

    fn move_cursor_up(&self, count: usize) -> io::Result<()> {
        self.step(count, 'A')
    }

    fn move_cursor_down(&self, count: usize) -> io::Result<()> {
        self.step(count, 'B')
    }

    fn move_cursor_right(&self, count: usize) -> io::Result<()> {
        self.step(count, 'C')
    }

    fn move_cursor_left(&self, count: usize) -> io::Result<()> {
        self.step(count, 'D')
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.printer.control(line);
        self.printer.control("\n");
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.printer.control(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.printer.control("\r\u{1b}[2K");
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        self.printer.flush_talk();
        Ok(())
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
