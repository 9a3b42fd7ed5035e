//! A minute for each fuzz target.

use std::path::Path;
use std::time::Instant;

use crate::counted::Counts;
use crate::run::{cargo, output, succeed};

const SECONDS: &str = "-max_total_time=60";

/// Runs every target for a minute and prints a line for each.
pub(crate) fn every_target(folder: &Path) -> Result<Counts, String> {
    if !folder.join("Cargo.toml").exists() {
        println!("there are no fuzz targets: {} is not there", folder.display());
        return Ok(Counts::default());
    }
    let mut list = cargo(&["fuzz", "list", "--fuzz-dir"]);
    list.arg(folder);
    let mut counts = Counts::default();
    for target in output(list)?.split_whitespace() {
        let start = Instant::now();
        let mut run = cargo(&["fuzz", "run", "--sanitizer", "none", "--fuzz-dir"]);
        run.arg(folder).args([target, "--", SECONDS]);
        let done = succeed(run);
        let word = if done.is_ok() { "ok    " } else { "FAILED" };
        println!("{word}  {:6} ms  fuzz: {target}", start.elapsed().as_millis());
        counts.add(match done {
            Ok(()) => Counts { passed: 1, failed: 0 },
            Err(_) => Counts { passed: 0, failed: 1 },
        });
    }
    if counts == Counts::default() { Err("there is no fuzz target".into()) } else { Ok(counts) }
}
