//! The lines of the input, read by a thread of its own: a read of standard input blocks.

use std::io::{BufRead, BufReader, Read};

use tokio::sync::mpsc;

/// The longest line.
const LIMIT: u64 = 64 * 1024 * 1024;

/// How many lines wait to be looked at.
const WAITING: usize = 64;

/// A line of the input, or what came in the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Its bytes, the end of the line apart.
    Whole(Vec<u8>),
    /// It was longer than may be and has been left out.
    TooLong,
    /// The input cannot be read any more, for this reason.
    Broken(String),
}

/// Reads lines until the input ends, which closes the channel. Empty lines are left out.
///
/// # Errors
/// When there can be no thread.
pub(crate) fn read_lines(input: Box<dyn Read + Send>) -> std::io::Result<mpsc::Receiver<Line>> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let read = move || {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        while let Some(line) = next(&mut input) {
            let broken = matches!(line, Line::Broken(_));
            let blank = matches!(&line, Line::Whole(bytes) if bytes.trim_ascii().is_empty());
            if (!blank && sender.blocking_send(line).is_err()) || broken {
                break;
            }
        }
    };
    std::thread::Builder::new().name("input".into()).spawn(read)?;
    Ok(receiver)
}

fn next(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    match input.by_ref().take(LIMIT).read_until(b'\n', &mut line) {
        Ok(0) => None,
        Ok(_) if line.ends_with(b"\n") => {
            line.pop();
            Some(Line::Whole(line))
        }
        Ok(read) if read as u64 == LIMIT => match skip(input) {
            Ok(()) => Some(Line::TooLong),
            Err(error) => Some(Line::Broken(error.to_string())),
        },
        // The last line of an input that does not end with one.
        Ok(_) => Some(Line::Whole(line)),
        Err(error) => Some(Line::Broken(error.to_string())),
    }
}

/// Reads up to the end of the line.
fn skip(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let read = end.map_or(buffer.len(), |at| at + 1);
        input.consume(read);
        if end.is_some() {
            return Ok(());
        }
    }
}
