//! A line on a terminal that is drawn again and again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Printer;

/// It is not drawn again sooner than that: nobody sees it, and the terminal has to do it.
const SOONEST: Duration = Duration::from_millis(50);
const TURNS: [&str; 4] = ["-", "\\", "|", "/"];
const CLEAR: &str = "\r\u{1b}[2K";

/// A line that is drawn again and again. It is gone when this is.
pub(super) struct Bar {
    printer: Arc<Printer>,
    columns: usize,
    begun: Instant,
    drawn: Option<Instant>,
    line: String,
    turns: usize,
}

impl Bar {
    pub(super) fn new(printer: &Arc<Printer>, columns: u16) -> Self {
        let (printer, columns, begun) = (printer.clone(), usize::from(columns), Instant::now());
        Self { printer, columns, begun, drawn: None, line: String::new(), turns: 0 }
    }

    /// How much is done, from 0 to 1.
    pub(super) fn part(&mut self, part: f64, message: &str) {
        let beside = format!(" {:>3}% {message}", (part * 100.0) as u8);
        let room = self.columns.saturating_sub(beside.width() + 1);
        let done = (part * room as f64) as usize;
        self.show(format!("{}{}{beside}", "#".repeat(done), "-".repeat(room.saturating_sub(done))));
    }

    /// Something is done, and for how long.
    pub(super) fn unending(&mut self, message: &str) {
        let elapsed = self.begun.elapsed().as_secs();
        self.turn(&format!("{elapsed} s {message}"));
    }

    /// Something is done.
    pub(super) fn turn(&mut self, message: &str) {
        let turn = TURNS[self.turns % TURNS.len()];
        self.turns += 1;
        self.show(format!("{turn} {message}"));
    }

    /// Takes the line away while somebody else speaks.
    pub(super) fn aside(&mut self, speak: impl FnOnce()) {
        self.clear();
        speak();
        self.draw();
    }

    fn show(&mut self, line: String) {
        self.line = line;
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= SOONEST) {
            self.drawn = Some(Instant::now());
            self.draw();
        }
    }

    fn draw(&self) {
        // The last column stays free: a cursor behind it would stand in the next line.
        let line = fitting(&self.line, self.columns.saturating_sub(1));
        self.printer.control(&format!("{CLEAR}{line}"));
    }

    fn clear(&self) {
        self.printer.control(CLEAR);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The beginning of a line that fits into so many columns.
fn fitting(line: &str, columns: usize) -> &str {
    let mut width = 0;
    let beyond = line.char_indices().find(|(_, letter)| {
        width += letter.width().unwrap_or(0);
        width > columns
    });
    &line[..beyond.map_or(line.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::screen::Screen;
    use super::super::{Setup, Verbosity};
    use super::*;
    use crate::world::{Output, Terminal};

    fn bar(columns: u16) -> (Screen, Bar) {
        let screen = Screen::default();
        let stderr = Output { writer: Box::new(screen.clone()), terminal: Terminal::Columns(columns) };
        let stdout = Output { writer: Box::new(io::sink()), terminal: Terminal::No };
        let setup = Setup { stdout, stderr, verbosity: Verbosity::Normal, colour: None };
        (screen, Bar::new(&Arc::new(Printer::new(setup)), columns))
    }

    #[track_caller]
    fn check(columns: u16, show: impl FnOnce(&mut Bar), shown: &str) {
        let (screen, mut bar) = bar(columns);
        show(&mut bar);
        assert_eq!(screen.text(), format!("{CLEAR}{shown}"));
        drop(bar);
        assert_eq!(screen.text(), format!("{CLEAR}{shown}{CLEAR}"));
    }

    #[test]
    fn a_line_fits_in_its_terminal() {
        check(20, |bar| bar.part(0.5, "half"), "####-----  50% half");
        check(20, |bar| bar.part(1.0, "鲸鱼"), "######### 100% 鲸鱼");
        check(20, |bar| bar.part(0.0, "much longer than that"), "   0% much longer t");
        check(9, |bar| bar.turn("鲸鱼鲸鱼"), "- 鲸鱼鲸");
        check(0, |bar| bar.part(0.3, "x"), "");
        check(80, |bar| bar.unending("x"), "- 0 s x");
    }

    #[test]
    fn what_others_say_stands_above_it() {
        let (screen, mut bar) = bar(80);
        bar.turn("a");
        // Most often too soon to be drawn by itself, but not once there was something else.
        bar.turn("b");
        let printer = bar.printer.clone();
        bar.aside(|| printer.note("said"));
        let shown = screen.text();
        assert!(shown.starts_with(&format!("{CLEAR}- a{CLEAR}")), "{shown:?}");
        assert!(shown.ends_with(&format!("{CLEAR}said\n{CLEAR}\\ b")), "{shown:?}");
    }
}
