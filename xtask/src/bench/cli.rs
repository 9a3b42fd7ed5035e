//! `cargo xtask bench cli`: what a command of the release binary takes beside the server's own time.

use super::limit::{Limit, median, report};
use super::measure::{Measured, run};
use super::raw::conversation;
use crate::run::{cargo, succeed, target};
use std::fs;
use std::path::Path;

/// So many runs give one median.
const RUNS: usize = 20;

/// Measures `mcp list` of 50 servers and `mcp call` of one, and compares with the limits.
pub(crate) fn cli() -> Result<(), String> {
    succeed(cargo(&["build", "--release", "--package", "codewhale", "--package", "codewhale-testkit"]))?;
    let release = target()?.join("release");
    let (codewhale, fake) = (release.join("codewhale"), release.join("codewhale-fake"));
    let home = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let (many, one) = (home.path().join("many"), home.path().join("one"));
    write_config(&many, &fake, 50)?;
    write_config(&one, &fake, 1)?;
    let lists = repeat(|| codewhale_run(&codewhale, &["mcp", "list"], &many))?;
    let calls =
        repeat(|| codewhale_run(&codewhale, &["mcp", "call", "server-0", "echo", "text=hello"], &one))?;
    let own = median(repeat(|| conversation(&fake))?);
    let size = fs::metadata(&codewhale).map_err(|fault| fault.to_string())?.len();
    let limit = |what: &str, measured, most, unit| Limit { what: what.to_owned(), measured, most, unit };
    println!("a conversation with the fake alone takes {own:.2} ms; medians of {RUNS} runs");
    report(&[
        limit("mcp list of 50 servers", of(&lists, |run| run.wall_ms), 10.0, "ms"),
        limit("mcp list of 50 servers, peak", of(&lists, |run| run.peak_mib), 12.0, "MiB"),
        limit("mcp call beside the server's own time", of(&calls, |run| run.wall_ms) - own, 20.0, "ms"),
        limit("mcp call, own CPU", of(&calls, |run| run.cpu_ms), 5.0, "ms"),
        limit("mcp call, peak", of(&calls, |run| run.peak_mib), 20.0, "MiB"),
        limit("size of the binary", size as f64 / 1e6, 20.0, "MB"),
    ])
}

fn codewhale_run(codewhale: &Path, arguments: &[&str], home: &Path) -> Result<Measured, String> {
    run(
        codewhale,
        arguments,
        &[("HOME", home), ("CODEWHALE_HOME", home), ("PATH", Path::new("/usr/bin:/bin"))],
    )
}

fn write_config(home: &Path, fake: &Path, count: usize) -> Result<(), String> {
    let server = serde_json::json!({ "command": fake, "args": ["plain"] });
    let servers: serde_json::Map<_, _> =
        (0..count).map(|number| (format!("server-{number}"), server.clone())).collect();
    let config = serde_json::json!({ "mcpServers": servers }).to_string();
    fs::create_dir_all(home).map_err(|fault| fault.to_string())?;
    fs::write(home.join("mcp.json"), config).map_err(|fault| fault.to_string())
}

fn repeat<T>(run: impl FnMut() -> Result<T, String>) -> Result<Vec<T>, String> {
    std::iter::repeat_with(run).take(RUNS).collect()
}

fn of(runs: &[Measured], number: impl Fn(&Measured) -> f64) -> f64 {
    median(runs.iter().map(number).collect())
}
