//! Someone who answers questions.

use std::io::{self, BufRead, BufReader, Read};

/// Someone at a terminal who answers questions. The question itself is printed by the program.
pub trait Person: Send {
    /// Waits for one line; `None` when there will be no more.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    fn answer(&mut self) -> io::Result<Option<String>>;
}

/// Whoever feeds a stream: each line is an answer.
pub(crate) fn piped(stream: Box<dyn Read + Send>) -> Box<dyn Person> {
    Box::new(AtTheOtherEnd(BufReader::new(stream)))
}

/// The most bytes of a line; whoever types writes less, and a stream may never end.
const LONGEST: usize = 64 << 10;

struct AtTheOtherEnd(BufReader<Box<dyn Read + Send>>);

impl Person for AtTheOtherEnd {
    fn answer(&mut self) -> io::Result<Option<String>> {
        line(&mut self.0)
    }
}

/// Whoever sits at the terminal behind our standard input.
pub(super) struct AtTheTerminal;

impl Person for AtTheTerminal {
    fn answer(&mut self) -> io::Result<Option<String>> {
        line(&mut io::stdin().lock())
    }
}

/// The next line, without what surrounds it. One that is too long is read to its end, and kept no part of.
fn line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let most = u64::try_from(LONGEST).expect("it is a small number") + 1;
    let read = from.take(most).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') && read > LONGEST {
        from.skip_until(b'\n')?;
        let text = format!("a line has more than {LONGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_the_next_one_counts() {
        let long = "x".repeat(20_000_000);
        let text = format!(" a \n{long}\nb\n{}\n{}\nc", &long[..LONGEST], &long[..=LONGEST]);
        let mut person = piped(Box::new(io::Cursor::new(text)));
        let mut next = || person.answer().map_err(|error| error.kind());
        assert_eq!(next(), Ok(Some("a".to_owned())));
        assert_eq!(next(), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(next(), Ok(Some("b".to_owned())));
        assert_eq!(next().map(|line| line.unwrap().len()), Ok(LONGEST));
        assert_eq!(next(), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(next(), Ok(Some("c".to_owned())));
        assert_eq!(next(), Ok(None));
    }
}
