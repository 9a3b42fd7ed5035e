//! One run of one client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cases::{Calls, Case, Does};
use super::clients::Client;
use super::options::Pace;
use crate::bench::callgrind::instructions;
use crate::bench::limit::median;
use crate::bench::measure;
use crate::bench::programs::Through;
use crate::bench::server::{Server, Way};

/// What came out, by its names.
pub(super) type Sample = BTreeMap<String, f64>;

/// So many starts give one sample.
const STARTS: usize = 20;

/// What clients call.
#[derive(Debug)]
pub(super) struct Servers<'a> {
    pub(super) program: &'a Path,
    pub(super) json: Server,
    pub(super) sse: Server,
}

impl Servers<'_> {
    fn over_http(&self, way: Way) -> &Server {
        match way {
            Way::Json => &self.json,
            Way::Sse => &self.sse,
        }
    }
}

/// Runs a client once.
pub(super) fn sample(
    client: &Client,
    case: &Case,
    servers: &Servers<'_>,
    pace: Pace,
) -> Result<Sample, String> {
    let run = |words: &[&str]| run(client, case.through, words);
    match &case.does {
        Does::Sequence(way, calls) => {
            self::calls(&run, servers, *way, "seq", 1, calls, calls.n(client.speed, pace))
        }
        Does::InFlight(way, inflight, calls) => {
            self::calls(&run, servers, *way, "pipe", *inflight, calls, calls.n(client.speed, pace))
        }
        Does::Connect(count) => connect(&run, servers, *count),
        Does::List(options) => {
            let server = format!("{} {options}", servers.program.display());
            run(&["list", "--server", &server])
        }
        Does::Start => start(client),
    }
}

fn calls(
    run: &dyn Fn(&[&str]) -> Result<Sample, String>,
    servers: &Servers<'_>,
    way: Option<Way>,
    scenario: &str,
    inflight: u32,
    calls: &Calls,
    n: u32,
) -> Result<Sample, String> {
    let warmup = if inflight == 1 { n.div_ceil(10) } else { 0 };
    let numbers = [n, warmup, inflight, calls.size].map(|number| number.to_string());
    let [n_word, warmup, inflight, size] = &numbers;
    let options =
        ["--n", n_word, "--warmup", warmup, "--inflight", inflight, "--size", size, "--kind", calls.kind];
    let mut sample = match way {
        None => {
            let server = servers.program.display().to_string();
            run(&[&[scenario, "--server", &server][..], &options].concat())?
        }
        Some(way) => {
            let server = servers.over_http(way);
            let before = server.connections()?;
            let (scenario, url) = (format!("http-{scenario}"), server.url());
            let mut sample = run(&[&[&scenario, "--url", &url][..], &options].concat())?;
            // One more asked how many there were.
            let accepted = server.connections()?.saturating_sub(before + 1);
            sample.insert("connections".to_owned(), accepted as f64);
            sample
        }
    };
    let n = f64::from(n);
    let (wall, cpu) = (member(&sample, "wall_us")?, member(&sample, "cpu_us")?);
    sample.insert("per_s".to_owned(), n / wall * 1e6);
    sample.insert("cpu_us_per_call".to_owned(), cpu / n);
    Ok(sample)
}

fn connect(
    run: &dyn Fn(&[&str]) -> Result<Sample, String>,
    servers: &Servers<'_>,
    count: u32,
) -> Result<Sample, String> {
    let server = servers.program.display().to_string();
    let connected = |count: u32| run(&["connect", "--server", &server, "--servers", &count.to_string()]);
    let mut sample = connected(count)?;
    let more = member(&sample, "rss_kb")? - member(&connected(1)?, "rss_kb")?;
    sample.insert("kb_per_connection".to_owned(), more / f64::from(count - 1));
    Ok(sample)
}

fn start(client: &Client) -> Result<Sample, String> {
    let arguments: Vec<String> = client
        .arguments
        .iter()
        .map(|word| word.display().to_string())
        .chain(["--version".to_owned()])
        .collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let path = std::env::var_os("PATH").map(PathBuf::from).unwrap_or_default();
    let runs: Vec<_> = std::iter::repeat_with(|| measure::run(&client.starts, &words, &[("PATH", &path)]))
        .take(STARTS)
        .collect::<Result<_, _>>()?;
    let of = |number: fn(&measure::Measured) -> f64| median(runs.iter().map(number).collect());
    let mut sample = Sample::new();
    sample.insert("wall_us".to_owned(), of(|run| run.wall_ms * 1e3));
    sample.insert("cpu_us".to_owned(), of(|run| run.cpu_ms * 1e3));
    sample.insert("page_faults".to_owned(), of(|run| run.page_faults));
    if client.is_native() {
        sample.insert("instructions".to_owned(), instructions(&client.starts, &arguments)? as f64);
    }
    Ok(sample)
}

/// Runs a client to its end and reads the last line it prints.
fn run(client: &Client, through: Through, words: &[&str]) -> Result<Sample, String> {
    let mut command = Command::new(client.through(through));
    command.args(&client.arguments).args(words).stdin(Stdio::null());
    command.envs(client.variables.iter().copied());
    let output = command.output().map_err(|fault| format!("cannot start {command:?}: {fault}"))?;
    // What it says beside is of interest only when it failed.
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}: {}", output.status, said.trim()));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().last().unwrap_or_default();
    let members: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(line).map_err(|fault| format!("{} prints {line:?}: {fault}", client.name))?;
    Ok(members.into_iter().filter_map(|(name, value)| Some((name, value.as_f64()?))).collect())
}

fn member(sample: &Sample, name: &str) -> Result<f64, String> {
    sample.get(name).copied().ok_or_else(|| format!("a client does not say {name}"))
}
