//! What `cargo xtask bench counts` does, in order.

use std::collections::BTreeMap;

use super::committed::{self, Beside};
use super::rows::{Answers, ROWS};
use super::system_calls::system_calls;
use crate::bench::callgrind::{instructions, is_there};
use crate::bench::limit::{Limit, report};
use crate::bench::programs::{self, Ours};
use crate::bench::server::Server;
use crate::run::{build, target};

/// Chance only ever adds: replies that come in two pieces instead of one. So the least of some runs is what counts.
const RUNS: usize = 3;

/// Counts every row and compares with `counts.toml`.
pub(crate) fn counts() -> Result<(), String> {
    let committed = committed::read()?;
    for program in ["valgrind", "strace"] {
        if !is_there(program) {
            return Err(format!("{program} counts and is not installed; install the package {program}"));
        }
    }
    // The fake server is in it.
    build()?;
    let ours = programs::ours()?;
    let (mut limits, mut stale, mut counted) = (Vec::new(), Vec::new(), BTreeMap::new());
    for row in ROWS {
        // Runs until the row is done.
        let (to, _serving) = start(row.server, &ours)?;
        let client = ours.through(row.through);
        let known = committed.get(row.name).ok_or_else(|| format!("counts.toml has no {}", row.name))?;
        let least = |count: &dyn Fn(&[String]) -> Result<u64, String>| {
            (0..RUNS).try_fold(f64::INFINITY, |least, _| Ok::<_, String>(row.each(count, &to)?.min(least)))
        };
        let numbers = [
            (known.instructions, least(&|words| instructions(client, words))?, "instructions"),
            (known.system_calls, least(&|words| system_calls(client, words))?, "system calls"),
        ];
        counted.insert(row.name, numbers[0].1);
        if let Some(Beside { row: other, times }) = &known.beside {
            let measured = counted.get(other.as_str()).map_or(f64::NAN, |other| numbers[0].1 / other);
            let what = row.name.to_owned();
            limits.push(Limit { what, measured, most: *times, unit: "times alone" });
        }
        for (number, measured, unit) in numbers {
            if number.is_stale(measured) {
                stale.push(format!("{}: {measured:.3} {unit}", row.name));
            }
            limits.push(number.limit(row.name.to_owned(), measured, unit));
        }
    }
    if !stale.is_empty() {
        println!("these are less by now, and counts.toml should say so:\n  {}", stale.join("\n  "));
    }
    report(&limits)
}

/// How the client is told of a server, and what keeps it running.
fn start(server: Answers, ours: &Ours) -> Result<(String, Option<Server>), String> {
    Ok(match server {
        Answers::Measuring => (ours.server.display().to_string(), None),
        Answers::Fake => (format!("{} plain", target()?.join("debug/codewhale-fake").display()), None),
        Answers::Http(way) => {
            let server = Server::start(&ours.server, way)?;
            (server.url(), Some(server))
        }
    })
}
