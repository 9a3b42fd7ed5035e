//! From words to flags with their values, and words that belong to no flag.

use super::Refused;
use super::table::{Flag, Takes, flag};

/// A piece of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// A flag as it was written, and what stood behind it.
    Flag { flag: &'static Flag, written: String, values: Vec<String> },
    /// A word that belongs to no flag.
    Plain(String),
}

/// Splits a command line, the program's name apart. Behind `--` every word is plain.
pub(crate) fn split(words: &[String]) -> Result<Vec<Word>, Refused> {
    let mut words = words.iter().map(String::as_str).peekable();
    let mut split = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            split.extend(words.by_ref().map(|word| Word::Plain(word.to_owned())));
            break;
        }
        if !is_flag(word) {
            split.push(Word::Plain(word.to_owned()));
            continue;
        }
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        let flag = flag(name).ok_or_else(|| Refused::UnknownFlag { flag: name.to_owned() })?;
        let written = name.to_owned();
        let mut values: Vec<String> = glued.into_iter().map(str::to_owned).collect();
        match flag.takes {
            Takes::Nothing if glued.is_some() => return Err(Refused::TakesNothing { flag: written }),
            Takes::Nothing => {}
            // What stands behind it is its value, whatever it looks like.
            Takes::Value(_) if glued.is_none() => values.extend(words.next().map(str::to_owned)),
            Takes::Optional if glued.is_none() => {
                values.extend(words.next_if(|next| !is_flag(next)).map(str::to_owned));
            }
            Takes::Values(_) if glued.is_none() => {
                while let Some(next) = words.next_if(|next| !is_flag(next)) {
                    values.push(next.to_owned());
                }
            }
            Takes::Value(_) | Takes::Optional | Takes::Values(_) => {}
        }
        if values.is_empty() && matches!(flag.takes, Takes::Value(_) | Takes::Values(_)) {
            return Err(Refused::LacksValue { flag: written });
        }
        split.push(Word::Flag { flag, written, values });
    }
    Ok(split)
}

/// Whether a word looks like a flag: a single dash is none, nor is a negative number.
fn is_flag(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('-') else { return false };
    rest.starts_with(|first: char| first == '-' || first.is_ascii_alphabetic())
}
