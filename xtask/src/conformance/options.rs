//! What can be said to `cargo xtask conformance client` and `server`.

/// How often, and how much.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// How often everything is run, at least once.
    pub(crate) runs: u32,
    /// Parts of the names of scenarios, of which one has to be in a name; empty means every scenario.
    pub(crate) only: Vec<String>,
}

impl Options {
    /// Reads `[--runs N] [--only WORD]..`.
    pub(crate) fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self { runs: 1, only: Vec::new() };
        let mut rest = arguments;
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--runs", number, rest @ ..] => {
                    let runs = number.parse().ok().filter(|runs| *runs >= 1);
                    options.runs = runs.ok_or(format!("--runs takes a number from 1 on, not `{number}`"))?;
                    rest
                }
                ["--only", word, rest @ ..] => {
                    options.only.push((*word).to_owned());
                    rest
                }
                [other, ..] => return Err(format!("`{other}` is no option here, or lacks its value")),
            };
        }
    }

    /// Whether a scenario is to be run.
    pub(crate) fn wants(&self, scenario: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| scenario.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_come_in_any_order_and_wrong_ones_are_refused() {
        let all = Options::read(&[]).unwrap();
        assert_eq!(all, Options { runs: 1, only: Vec::new() });
        assert!(all.wants("tools_call"));
        let some = Options::read(&["--only", "http-", "--runs", "5", "--only", "sse"]).unwrap();
        assert_eq!(some.runs, 5);
        assert!(some.wants("sse-retry") && some.wants("http-custom-headers") && !some.wants("initialize"));
        for wrong in [&["--runs", "0"][..], &["--runs"], &["--only"], &["initialize"]] {
            assert!(Options::read(wrong).is_err(), "{wrong:?}");
        }
    }
}
