//! Reads the command line after the mode into flags, checked against the flags the mode names.

use std::collections::HashMap;
use std::time::Duration;

/// Flags every mode takes; see [`crate::mode`] for what they mean.
pub(crate) const COMMON: &str = "--era --version --record --instructions --ttl";

/// The flags and plain arguments of one run.
#[derive(Default)]
pub(crate) struct Options {
    flags: HashMap<String, String>,
    /// Arguments that are no flags, in order.
    pub(crate) plain: Vec<String>,
}

impl Options {
    /// `known` lists the flags that are allowed, in any text: a flag counts when it stands there.
    pub(crate) fn parse(arguments: &[String], known: &str) -> Result<Options, String> {
        let mut options = Options::default();
        let mut arguments = arguments.iter().peekable();
        while let Some(argument) = arguments.next() {
            let Some(flag) = argument.strip_prefix("--") else {
                options.plain.push(argument.clone());
                continue;
            };
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => {
                    let value = arguments.next_if(|next| !next.starts_with("--"));
                    (flag, value.cloned().unwrap_or_default())
                }
            };
            if !known.split_whitespace().any(|word| word.trim_matches(['[', ']']) == format!("--{name}")) {
                return Err(format!("unknown flag --{name}; this mode takes {known}"));
            }
            options.flags.insert(name.to_owned(), value);
        }
        Ok(options)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.flags.contains_key(name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.flags.get(name).cloned()
    }

    pub(crate) fn word(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| default.to_owned())
    }

    /// A number, or `default` when the flag is absent or holds none.
    pub(crate) fn number(&self, name: &str, default: u64) -> u64 {
        self.flags.get(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    pub(crate) fn count(&self, name: &str, default: usize) -> usize {
        self.flags.get(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    pub(crate) fn code(&self, default: i32) -> i32 {
        self.flags.get("code").and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    pub(crate) fn delay(&self, default: u64) -> Duration {
        Duration::from_millis(self.number("delay", default))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Options::parse(&words, "--count N [--null] --stderr TEXT")
    }

    #[test]
    fn flags_take_the_next_word_or_what_follows_an_equals_sign() {
        let options = parse("--null --count 7 x --stderr=--y").unwrap();
        assert!(options.has("null"));
        assert_eq!(options.number("count", 1), 7);
        assert_eq!(options.text("stderr").as_deref(), Some("--y"));
        assert_eq!(options.plain, ["x"]);
    }

    #[test]
    fn a_flag_the_mode_does_not_take_is_refused() {
        assert!(parse("--cuont 7").is_err());
    }
}
