//! The server's command line.

use std::error::Error;

use super::answer::Answers;
use super::{http, stdio, tools};

/// Serves until standard input ends, or for good over HTTP.
///
/// # Errors
/// A word that is not understood, and what goes wrong on the way.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let (mut count, mut page, mut modern, mut port, mut way) = (10, 0, false, None, http::Way::Json);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} has no value"));
        match word.as_str() {
            "--tools" => count = value()?.parse()?,
            "--page" => page = value()?.parse()?,
            "--discover" => modern = value()? == "ok",
            "--http" => port = Some(value()?.parse()?),
            "--sse" => way = http::Way::Sse,
            _ => return Err(format!("what is {word}?").into()),
        }
    }
    let answers = Answers { modern, pages: tools::pages(count, page, modern) };
    match port {
        Some(port) => http::serve(&answers, port, way)?,
        None => stdio::serve(&answers)?,
    }
    Ok(())
}
