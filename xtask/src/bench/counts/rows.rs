//! The calls that are counted.
//!
//! Two runs of different length are compared, so that start, handshake and end cancel out.

use crate::bench::programs::Through;
use crate::bench::server::Way;

/// A kind of call.
#[derive(Debug)]
pub(super) struct Row {
    /// Its name in `counts.toml`.
    pub(super) name: &'static str,
    pub(super) server: Answers,
    pub(super) through: Through,
    inflight: u32,
    few: u32,
    many: u32,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// The measuring server, over a pipe.
    Measuring,
    /// The same, over HTTP.
    Http(Way),
    /// The fake server of the tests, whose answers have no member more than they must.
    Fake,
}

const fn alone(name: &'static str, server: Answers) -> Row {
    Row { name, server, through: Through::Client, inflight: 1, few: 200, many: 1200 }
}

const fn in_flight(name: &'static str) -> Row {
    Row { inflight: 256, few: 2560, many: 12_800, ..alone(name, Answers::Measuring) }
}

pub(super) const ROWS: &[Row] = &[
    alone("stdio-one-after-another", Answers::Measuring),
    alone("stdio-one-after-another-shortest", Answers::Fake),
    Row { through: Through::Manager, ..alone("stdio-one-after-another-by-the-manager", Answers::Measuring) },
    in_flight("stdio-256-in-flight"),
    Row { through: Through::Manager, ..in_flight("stdio-256-in-flight-by-the-manager") },
    alone("http-json-one-after-another", Answers::Http(Way::Json)),
    alone("http-sse-one-after-another", Answers::Http(Way::Sse)),
];

impl Row {
    /// What one call comes to, where `count` says what a run comes to.
    pub(super) fn each(
        &self,
        count: impl Fn(&[String]) -> Result<u64, String>,
        to: &str,
    ) -> Result<f64, String> {
        let few = count(&self.arguments(to, self.few))?;
        let many = count(&self.arguments(to, self.many))?;
        Ok((many as f64 - few as f64) / f64::from(self.many - self.few))
    }

    /// The client's arguments for so many calls of the server `to`.
    fn arguments(&self, to: &str, n: u32) -> Vec<String> {
        // The time of a call is not looked at, which would cost some too.
        let (scenario, at) = match self.server {
            Answers::Http(_) => ("http-pipe", "--url"),
            Answers::Measuring | Answers::Fake => ("pipe", "--server"),
        };
        let (n, inflight) = (n.to_string(), self.inflight.to_string());
        [scenario, at, to, "--n", &n, "--inflight", &inflight].map(str::to_owned).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_in_both_runs_cancels_out() {
        let n = |arguments: &[String]| arguments[4].parse::<u64>().unwrap();
        let each = ROWS[0].each(|arguments| Ok(1_000_000 + 7 * n(arguments)), "server");
        assert_eq!(each, Ok(7.0));
    }

    #[test]
    fn a_run_is_asked_for_as_the_contract_says() {
        let line = |row: &Row, to| row.arguments(to, 9).join(" ");
        assert_eq!(line(&ROWS[3], "s"), "pipe --server s --n 9 --inflight 256");
        assert_eq!(line(&ROWS[6], "http://h/"), "http-pipe --url http://h/ --n 9 --inflight 1");
    }
}
