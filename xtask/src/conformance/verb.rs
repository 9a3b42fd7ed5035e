//! What `cargo xtask conformance client` does, in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use super::expected::Expected;
use super::found::{self, Found};
use super::options::Options;
use super::suite::{SETS, Set, Suite};
use super::table::Table;
use super::verdict::{Verdict, verdict, was_only_late};
use crate::counted::Counts;
use crate::run::{build, root, target};

/// Installs the suite, builds the driver, runs every set and prints `N passed, N failed`.
pub(crate) fn client(arguments: &[&str]) -> Result<(), String> {
    let options = Options::read(arguments)?;
    let target = target()?;
    let folder = target.join("conformance");
    let start = Instant::now();
    build()?;
    let suite = Suite::install(&folder.join("suite"), target.join("debug/conformance-client"))?;
    let expected = Expected::read(&root().join("tests/conformance/expected.toml"))?;
    expected.fits(&suite.scenarios(Set::All)?)?;
    println!("the suite is there, version {} ({:.1} s)", suite.version()?, start.elapsed().as_secs_f64());

    let results = folder.join("results");
    if results.exists() {
        fs::remove_dir_all(&results)
            .map_err(|error| format!("cannot clear {}: {error}", results.display()))?;
    }
    let mut table = Table::default();
    let sets: Vec<Chosen> =
        SETS.iter().map(|set| Chosen::of(&suite, *set, &options)).collect::<Result<_, _>>()?;
    for run in 1..=options.runs {
        for chosen in sets.iter().filter(|chosen| !chosen.scenarios.is_empty()) {
            let folder = results.join(format!("{run}-{}", chosen.set.name()));
            one_set(&suite, chosen, &expected, &folder, &mut table)?;
        }
    }
    print!("{}", table.print());
    for not_yet in &expected.not_yet {
        let count = not_yet.scenarios.iter().filter(|name| options.wants(name)).count();
        if count > 0 {
            println!("not implemented yet: {count} scenarios, for want of {}", not_yet.needs);
        }
    }
    println!("results: {}", results.display());
    let counts = table.counts();
    println!("{counts}");
    match counts {
        Counts { passed: 1.., failed: 0 } => Ok(()),
        Counts { passed: 0, failed: 0 } => Err("no scenario passed".into()),
        Counts { failed, .. } => Err(format!("{failed} scenarios failed")),
    }
}

/// What of a set is run.
struct Chosen {
    set: Set,
    scenarios: Vec<String>,
    /// All of it.
    whole: bool,
}

impl Chosen {
    fn of(suite: &Suite, set: Set, options: &Options) -> Result<Self, String> {
        let mut scenarios = suite.scenarios(set)?;
        let count = scenarios.len();
        scenarios.retain(|scenario| options.wants(scenario));
        Ok(Self { set, whole: scenarios.len() == count, scenarios })
    }
}

fn one_set(
    suite: &Suite,
    chosen: &Chosen,
    expected: &Expected,
    folder: &Path,
    table: &mut Table,
) -> Result<(), String> {
    let start = Instant::now();
    let (set, name) = (chosen.set, chosen.set.name());
    if chosen.whole {
        suite.run(set, folder)?;
    } else {
        for scenario in &chosen.scenarios {
            suite.run_alone(set, scenario, folder)?;
        }
    }
    let mut found = found::read(folder)?;
    once_more_where_only_late(suite, set, folder, &mut found)?;
    let (mut counts, mut not_yet) = (Counts::default(), 0);
    for scenario in &chosen.scenarios {
        let verdict = verdict(expected, scenario, found.get(scenario));
        table.add(set, scenario, &verdict);
        match verdict {
            Verdict::Passed => counts.passed += 1,
            Verdict::NotYet => not_yet += 1,
            Verdict::Failed(faults) => {
                counts.failed += 1;
                println!("FAILED  {name}: {scenario}\n        {}", faults.join("\n        "));
            }
        }
    }
    println!("{name}: {counts}, {not_yet} not yet ({:.1} s)", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs alone, once, what a busy machine made late.
fn once_more_where_only_late(
    suite: &Suite,
    set: Set,
    folder: &Path,
    found: &mut BTreeMap<String, Found>,
) -> Result<(), String> {
    for (scenario, found) in found {
        if was_only_late(found) {
            println!("{}: {scenario} reconnected a little late; it is run once more, alone", set.name());
            let again = folder.join("once-more");
            suite.run_alone(set, scenario, &again)?;
            *found = found::read(&again)?.remove(scenario).unwrap_or_default();
        }
    }
    Ok(())
}
