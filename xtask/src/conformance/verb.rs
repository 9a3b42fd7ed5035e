//! What `cargo xtask conformance client` and `cargo xtask conformance server` do, in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::expected::Expected;
use super::fixture::Fixture;
use super::found::{self, Found};
use super::options::Options;
use super::scenarios::Role;
use super::suite::{SETS, Set, Suite, Tested};
use super::table::Table;
use super::verdict::{Verdict, verdict, was_only_late};
use crate::counted::Counts;
use crate::run::{build, root, target};

/// Installs the suite, builds the driver, runs every set and prints `N passed, N failed`.
pub(crate) fn client(arguments: &[&str]) -> Result<(), String> {
    let (stand, options) = Stand::set_up(Role::Client, arguments)?;
    let driver = target()?.join("debug/conformance-client");
    stand.run(&Tested::Driver(&driver), &options)
}

/// The same with a server that is started once and has to stay for all of it.
pub(crate) fn server(arguments: &[&str]) -> Result<(), String> {
    let (stand, options) = Stand::set_up(Role::Server, arguments)?;
    let program = target()?.join("debug/conformance-server");
    let mut fixture = Fixture::start(&program, &stand.results.join("server.txt"))?;
    let url = fixture.url.clone();
    let done = stand.run(&Tested::Url(&url), &options);
    fixture.still_there().and(done)
}

/// Everything that is there before the first scenario.
struct Stand {
    suite: Suite,
    role: Role,
    expected: Expected,
    /// A folder without anything.
    results: PathBuf,
}

impl Stand {
    fn set_up(role: Role, arguments: &[&str]) -> Result<(Self, Options), String> {
        let options = Options::read(arguments)?;
        let folder = target()?.join("conformance");
        let start = Instant::now();
        build()?;
        let suite = Suite::install(&folder.join("suite"))?;
        let expected = Expected::read(&root().join("tests/conformance/expected.toml"), role)?;
        expected.fits(&suite.scenarios(Set::All, role)?)?;
        println!("the suite is there, version {} ({:.1} s)", suite.version()?, start.elapsed().as_secs_f64());
        let results = folder.join("results").join(role.name());
        let cannot = |error: std::io::Error| format!("cannot clear {}: {error}", results.display());
        if results.exists() {
            fs::remove_dir_all(&results).map_err(cannot)?;
        }
        fs::create_dir_all(&results).map_err(cannot)?;
        Ok((Self { suite, role, expected, results }, options))
    }

    fn run(&self, tested: &Tested<'_>, options: &Options) -> Result<(), String> {
        let mut table = Table::default();
        let sets: Vec<Chosen> =
            SETS.iter().map(|set| Chosen::of(self, *set, options)).collect::<Result<_, _>>()?;
        for run in 1..=options.runs {
            for chosen in sets.iter().filter(|chosen| !chosen.scenarios.is_empty()) {
                let folder = self.results.join(format!("{run}-{}", chosen.set.name()));
                self.one_set(tested, chosen, &folder, &mut table)?;
            }
        }
        print!("{}", table.print());
        for not_yet in &self.expected.not_yet {
            let count = not_yet.scenarios.iter().filter(|name| options.wants(name)).count();
            if count > 0 {
                println!("not implemented yet: {count} scenarios, for want of {}", not_yet.needs);
            }
        }
        println!("results: {}", self.results.display());
        let counts = table.counts();
        println!("{counts}");
        match counts {
            Counts { passed: 1.., failed: 0 } => Ok(()),
            Counts { passed: 0, failed: 0 } => Err("no scenario passed".into()),
            Counts { failed, .. } => Err(format!("{failed} scenarios failed")),
        }
    }

    fn one_set(
        &self,
        tested: &Tested<'_>,
        chosen: &Chosen,
        folder: &Path,
        table: &mut Table,
    ) -> Result<(), String> {
        let start = Instant::now();
        let (set, name) = (chosen.set, chosen.set.name());
        if chosen.whole {
            self.suite.run(tested, set, folder)?;
        } else {
            for scenario in &chosen.scenarios {
                self.suite.run_alone(tested, set, scenario, folder)?;
            }
        }
        let mut found = found::read(folder, self.role)?;
        if self.role == Role::Client {
            self.once_more_where_only_late(tested, set, folder, &mut found)?;
        }
        let (mut counts, mut not_yet) = (Counts::default(), 0);
        for scenario in &chosen.scenarios {
            let verdict = verdict(&self.expected, scenario, self.role, found.get(scenario));
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
        &self,
        tested: &Tested<'_>,
        set: Set,
        folder: &Path,
        found: &mut BTreeMap<String, Found>,
    ) -> Result<(), String> {
        for (scenario, found) in found {
            if was_only_late(found) {
                println!("{}: {scenario} reconnected a little late; it is run once more, alone", set.name());
                let again = folder.join("once-more");
                self.suite.run_alone(tested, set, scenario, &again)?;
                *found = found::read(&again, self.role)?.remove(scenario).unwrap_or_default();
            }
        }
        Ok(())
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
    fn of(stand: &Stand, set: Set, options: &Options) -> Result<Self, String> {
        let mut scenarios = stand.suite.scenarios(set, stand.role)?;
        let count = scenarios.len();
        scenarios.retain(|scenario| options.wants(scenario));
        Ok(Self { set, whole: scenarios.len() == count, scenarios })
    }
}
