//! The command line of `cargo xtask bench`.

use std::path::PathBuf;

use regex::Regex;

use super::clients;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    Full,
    /// A quarter of the calls, and fewer repetitions.
    Quick,
}

#[derive(Debug)]
pub(super) struct Options {
    pub(super) pace: Pace,
    pub(super) repetitions: usize,
    /// Rows whose name it matches.
    pub(super) only: Regex,
    /// Names of clients.
    pub(super) clients: Vec<String>,
    /// Further programs that follow the contract, by the names they are to have.
    pub(super) also: Vec<(String, PathBuf)>,
    /// Where the JSON goes.
    pub(super) out: Option<PathBuf>,
}

/// Repetitions, in full and quick.
const REPETITIONS: [usize; 2] = [5, 3];

impl Options {
    pub(super) fn read(words: &[&str]) -> Result<Self, String> {
        let every = Regex::new("").expect("it matches everything");
        let usual = clients::USUAL.map(str::to_owned).to_vec();
        let mut options = Self {
            pace: Pace::Full,
            repetitions: 0,
            only: every,
            clients: usual,
            also: Vec::new(),
            out: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} has no value"));
            match *word {
                "--quick" => options.pace = Pace::Quick,
                "--only" => options.only = Regex::new(value()?).map_err(|fault| fault.to_string())?,
                "--reps" => options.repetitions = value()?.parse().map_err(|_| "--reps is a number")?,
                "--clients" => options.clients = value()?.split(',').map(str::to_owned).collect(),
                "--also" => options.also.push(named(value()?)?),
                "--out" => options.out = Some(value()?.into()),
                _ => return Err(format!("bench knows no {word}")),
            }
        }
        if options.repetitions == 0 {
            options.repetitions = REPETITIONS[usize::from(options.pace == Pace::Quick)];
        }
        Ok(options)
    }
}

/// `NAME=PROGRAM`.
fn named(word: &str) -> Result<(String, PathBuf), String> {
    match word.split_once('=') {
        Some((name, program)) if !name.is_empty() && !program.is_empty() => Ok((name.into(), program.into())),
        _ => Err(format!("--also takes NAME=PROGRAM, not {word}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_clients_are_named_with_their_programs() {
        let options = Options::read(&["--also", "sketch=/a=b", "--also", "other=c"]).unwrap();
        let wanted = [("sketch", "/a=b"), ("other", "c")].map(|(name, path)| (name.to_owned(), path.into()));
        assert_eq!(options.also, wanted);
        for word in ["sketch", "=a", "a="] {
            assert!(Options::read(&["--also", word]).is_err(), "{word}");
        }
    }

    #[test]
    fn a_quick_run_repeats_less_unless_it_is_told_how_often() {
        let repetitions = |words: &[&str]| Options::read(words).unwrap().repetitions;
        assert_eq!(repetitions(&[]), 5);
        assert_eq!(repetitions(&["--quick"]), 3);
        assert_eq!(repetitions(&["--quick", "--reps", "9"]), 9);
    }

    #[test]
    fn rows_are_chosen_by_a_pattern() {
        let options = Options::read(&["--only", "^a|SSE", "--clients", "ours,floor"]).unwrap();
        assert!(options.only.is_match("a 100 B") && options.only.is_match("e SSE, 16 in flight"));
        assert!(!options.only.is_match("b 16 in flight"));
        assert_eq!(options.clients, ["ours", "floor"]);
        assert!(Options::read(&["--only"]).is_err() && Options::read(&["--fast"]).is_err());
    }
}
