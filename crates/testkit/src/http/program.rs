//! A fake HTTP server as a process of its own.

use super::fake::HttpFake;
use crate::mode::Run;
use std::io::{self, Read, Write};

/// Reads `[MODE[+MODE…]] [flags]`. The program prints its URL and serves until its stdin ends.
pub(crate) fn select(arguments: &[String]) -> Result<Run, String> {
    super::mode::plan(arguments)?;
    let words = arguments.to_vec();
    Ok(Box::new(move || serve(words)))
}

fn serve(words: Vec<String>) -> i32 {
    let fake = match HttpFake::listen(words, |_, code| crate::leave(code)) {
        Ok(fake) => fake,
        Err(fault) => {
            crate::complain(&fault);
            return 1;
        }
    };
    let mut stdout = io::stdout();
    if stdout.write_all(format!("{}\n", fake.url()).as_bytes()).and_then(|()| stdout.flush()).is_err() {
        return 1;
    }
    // The end of stdin is the order to end; what comes before it means nothing.
    let _ = io::stdin().read_to_end(&mut Vec::new());
    0
}
