//! What is said to the person, and what they type.

use std::sync::Arc;

use crate::content::cut;
use crate::print::{Line, Paint, Printer, Progress, Quiet, bytes};
use crate::world::{Asking, Typed};

/// The most lines of a server's text that are shown.
const LINES: usize = 100;

const STALE: &str = "this line may have been meant for the question before; answer again";

/// Standard error, and whoever sits there.
pub(super) struct Dialog {
    pub(super) printer: Arc<Printer>,
    pub(super) progress: Arc<Progress>,
    pub(super) person: Option<Asking>,
}

/// Somebody sits there.
pub(super) struct WithPerson<'d> {
    pub(super) printer: &'d Printer,
    person: &'d Asking,
}

/// The person does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// They say no.
    Decline,
    /// They go away.
    Cancel,
}

impl Dialog {
    /// While this lives, nobody else speaks.
    pub(super) fn quiet(&self) -> Quiet<'_> {
        self.progress.quiet()
    }

    pub(super) fn person(&self) -> Option<WithPerson<'_>> {
        self.person.as_ref().map(|person| WithPerson { printer: &self.printer, person })
    }
}

impl WithPerson<'_> {
    /// Asks and waits for a line. Whoever cannot be asked any more has gone away.
    pub(super) async fn ask(&self, question: Line) -> Result<String, Stop> {
        self.printer.question(question);
        match self.person.line().await {
            Ok(Some(line)) => Ok(line),
            Ok(None) | Err(_) => {
                self.printer.talk(Line::new());
                Err(Stop::Cancel)
            }
        }
    }

    /// As [`ask`](Self::ask), for a yes that has to be meant for this very question: a line that was waited for before the
    /// question stood there is dropped.
    pub(super) async fn consent(&self, question: &str) -> Result<String, Stop> {
        loop {
            self.printer.question(Line::from(question));
            match self.person.typed().await {
                Ok(Some(Typed::Fresh(line))) => return Ok(line),
                Ok(Some(Typed::Stale(_))) => self.refuse(STALE),
                Ok(None) | Err(_) => {
                    self.printer.talk(Line::new());
                    return Err(Stop::Cancel);
                }
            }
        }
    }

    /// Says why an answer is not taken.
    pub(super) fn refuse(&self, why: impl AsRef<str>) {
        self.printer.talk(Line::new().plain("  ").add(Paint::Odd, why));
    }
}

/// Prints a text of the server behind some blanks: harmless, and no more of it than a person reads.
pub(super) fn quote(printer: &Printer, text: &str, most: usize, blanks: &str) {
    let (start, left) = cut(text, most);
    let mut lines = start.lines();
    for line in lines.by_ref().take(LINES) {
        printer.talk(Line::new().plain(blanks).plain(line));
    }
    let more = lines.count();
    if left > 0 || more > 0 {
        let all = bytes(text.len() as u64);
        printer.talk(Line::new().plain(blanks).dim(format!("(cut, {all} in all)")));
    }
}

/// The beginning of a name or title, on one line.
pub(super) fn short(text: &str, most: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, sync_channel};

    use super::*;
    use crate::world::Person;

    struct Slow(Receiver<&'static str>);

    impl Person for Slow {
        fn answer(&mut self) -> std::io::Result<Option<String>> {
            Ok(self.0.recv().ok().map(str::to_owned))
        }
    }

    #[test]
    fn a_yes_that_was_typed_for_a_withdrawn_question_is_no_consent() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (sender, lines) = sync_channel(2);
            let (printer, asking) = (Printer::silent(), Asking::new(Box::new(Slow(lines))));
            let person = WithPerson { printer: &printer, person: &asking };
            let withdrawn = tokio::time::timeout(std::time::Duration::ZERO, person.ask(Line::from("name?")));
            assert!(withdrawn.await.is_err());
            sender.send("y").unwrap();
            sender.send("n").unwrap();
            assert_eq!(person.consent("agree?").await, Ok("n".to_owned()));
            drop(sender);
            assert_eq!(person.consent("agree?").await, Err(Stop::Cancel));
        });
    }
}
