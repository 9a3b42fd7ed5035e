//! Someone who answers questions.

use std::io::{self, BufRead};

/// Someone at a terminal who answers questions. The question itself is printed by the program.
pub trait Person: Send {
    /// Waits for one line; `None` when there will be no more.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    fn answer(&mut self) -> io::Result<Option<String>>;
}

/// Whoever sits at the terminal behind our standard input.
pub(super) struct AtTheTerminal;

impl Person for AtTheTerminal {
    fn answer(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }
}
