//! Says what went wrong: to a person on standard error, and to a program as JSON on standard output.

use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::hint::{Naming, hint};
use crate::print::{Line, PrintError, Printer};

/// A failure, for machines.
#[derive(Debug, Serialize)]
pub(crate) struct Told {
    pub(crate) class: &'static str,
    pub(crate) message: String,
    /// The outermost first.
    pub(crate) causes: Vec<String>,
    pub(crate) hint: Option<String>,
}

impl Told {
    pub(crate) fn of(failure: &Failure, naming: Naming) -> Self {
        let (message, causes) = (failure.message(naming), failure.causes());
        Self { class: failure.class(), message, causes, hint: hint(failure, naming) }
    }

    /// The command line makes no sense.
    pub(crate) fn usage(message: String, hint: &str) -> Self {
        Self { class: "usage", message, causes: Vec::new(), hint: Some(hint.to_owned()) }
    }

    /// Nothing failed: somebody wanted an end.
    pub(crate) fn ended(exit: Exit) -> Option<Self> {
        let class = match exit {
            Exit::Interrupted => "interrupted",
            Exit::Terminated => "terminated",
            _ => return None,
        };
        Some(Self { class, message: class.to_owned(), causes: Vec::new(), hint: None })
    }

    pub(crate) fn print(self, printer: &Printer) -> Result<(), PrintError> {
        #[derive(Serialize)]
        struct Error {
            error: Told,
        }
        printer.json(&Error { error: self }).and_then(|()| printer.flush())
    }
}

/// Says to a person what went wrong and what to do about it.
pub(crate) fn explain(failure: &Failure, naming: Naming, printer: &Printer) {
    if failure.is_silent() {
        return;
    }
    let causes = failure.causes();
    // What keeps a server from starting is a story of its own.
    let together = match failure {
        Failure::Connect { .. } | Failure::NoList { .. } => 1,
        _ => causes.len(),
    };
    let (first, others) = causes.split_at(together.min(causes.len()));
    printer.error([&[failure.message(naming)], first].concat().join(": "));
    for cause in others {
        printer.talk(Line::new().dim("  because: ").plain(cause));
    }
    failure.excerpt().lines().for_each(|line| printer.talk(line.into()));
    for line in failure.stderr() {
        printer.talk(Line::new().dim("  stderr: ").plain(line));
    }
    if let Some(hint) = hint(failure, naming) {
        printer.hint(hint);
    }
}
