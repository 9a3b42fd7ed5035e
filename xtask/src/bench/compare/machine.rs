//! On what it ran.

use std::fs;
use std::process::Command;

use crate::installed::version;
use crate::run::output;

/// What is worth knowing about this machine, by its names.
pub(super) fn facts() -> Vec<(&'static str, String)> {
    let said = |answer: Result<String, String>| answer.unwrap_or_else(|_| "unknown".to_owned());
    vec![
        ("date", said(today())),
        ("processors", format!("{} x {}", processors(), field("/proc/cpuinfo", "model name"))),
        ("memory", field("/proc/meminfo", "MemTotal")),
        ("kernel", first_line("/proc/sys/kernel/osrelease")),
        ("rustc", said(version("rustc"))),
        ("node", said(version("node"))),
        ("python", said(version("python3"))),
        ("load before", load()),
    ]
}

/// How many processes wanted to run in the last minute.
pub(in crate::bench) fn load() -> String {
    first_line("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned()
}

fn today() -> Result<String, String> {
    let mut date = Command::new("date");
    date.args(["-u", "+%Y-%m-%d"]);
    Ok(output(date)?.trim().to_owned())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(0, usize::from)
}

fn field(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':'])).to_owned()
}

fn first_line(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default().lines().next().unwrap_or("unknown").to_owned()
}
