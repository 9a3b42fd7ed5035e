//! What `cargo xtask bench server` does, in order.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::cases::{CASES, Case, SDK_OVER_OURS};
use super::served::{Served, all};
use crate::bench::compare::load;
use crate::bench::limit::median;
use crate::bench::programs;

/// Repetitions, in full and quick.
const REPETITIONS: [usize; 2] = [5, 3];

/// Has the floor call every server, each repetition in the other order, and prints times, ratios and what was wanted.
///
/// A ratio is taken within a repetition, and the middle of the ratios is what counts.
pub(crate) fn server(words: &[&str]) -> Result<(), String> {
    let quick = match words {
        [] => false,
        ["--quick"] => true,
        _ => return Err(format!("bench server takes --quick, not {}", words.join(" "))),
    };
    let ours = programs::ours()?;
    let servers = all(&ours.server)?;
    let repetitions = REPETITIONS[usize::from(quick)];
    println!("load before: {}", load());
    let mut times = vec![vec![Vec::new(); servers.len()]; CASES.len()];
    for repetition in 0..repetitions {
        let start = Instant::now();
        for (case, times) in CASES.iter().zip(&mut times) {
            let mut order: Vec<usize> = (0..servers.len()).collect();
            if repetition % 2 == 1 {
                order.reverse();
            }
            for at in order {
                times[at].push(time(&ours.floor, &servers[at], case, quick)?);
            }
        }
        eprintln!("repetition {} of {repetitions}: {:.0} s", repetition + 1, start.elapsed().as_secs_f64());
    }
    println!("load after: {}\n", load());
    println!("| µs | {} | ours/std | wanted |", names(&servers).join(" | "));
    println!("|---|{}---|---|", "---|".repeat(servers.len()));
    let mut missed = 0;
    for (case, times) in CASES.iter().zip(&times) {
        let (line, met) = row(case, times);
        println!("{line}");
        missed += usize::from(!met);
    }
    println!("\n{} of {} rows as wanted", CASES.len() - missed, CASES.len());
    Ok(())
}

fn names(servers: &[Served]) -> Vec<&'static str> {
    servers.iter().map(|server| server.name).collect()
}

/// Microseconds of one call.
fn time(floor: &Path, server: &Served, case: &Case, quick: bool) -> Result<f64, String> {
    let pace = if quick { 4 } else { 1 };
    let n = case.calls / 100 * server.share / pace;
    let [calls, warmup, inflight] = [n, n / 10, case.inflight].map(|number| number.to_string());
    let mut command = Command::new(floor);
    command.args([case.scenario, "--server", &server.command, "--n", &calls, "--warmup", &warmup]);
    command.args(["--inflight", &inflight]).stdin(Stdio::null());
    let output = command.output().map_err(|fault| format!("cannot start {command:?}: {fault}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().last().unwrap_or_default();
    let said = serde_json::from_str(line).unwrap_or(Value::Null);
    let Some(number) = said[case.member].as_f64().filter(|_| output.status.success()) else {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}, {}: {}: {}", case.name, server.name, output.status, stderr.trim()));
    };
    Ok(if case.is_sum { number / f64::from(n) } else { number })
}

/// The line of a row, and whether ours is as it was wanted. The servers are in the order of `served`: std, ours, others.
fn row(case: &Case, times: &[Vec<f64>]) -> (String, bool) {
    let (std, ours, others) = (&times[0], &times[1], &times[2..]);
    let ratio = |over: &[f64], under: &[f64]| median(over.iter().zip(under).map(|(a, b)| a / b).collect());
    let over_std = ratio(ours, std);
    let over_ours: Vec<f64> = others.iter().map(|other| ratio(other, ours)).collect();
    let met = over_std <= case.over_std && over_ours.iter().all(|times| *times >= SDK_OVER_OURS);
    let middles: Vec<String> = times
        .iter()
        .enumerate()
        .map(|(at, all)| match at.checked_sub(2) {
            None => format!("{:.2}", median(all.clone())),
            Some(other) => format!("{:.1} ({:.1}x)", median(all.clone()), over_ours[other]),
        })
        .collect();
    let verdict = if met { "met" } else { "**missed**" };
    let wanted = format!("≤ {}x std, others ≥ {SDK_OVER_OURS}x ours: {verdict}", case.over_std);
    (format!("| {} | {} | {over_std:.2} | {wanted} |", case.name, middles.join(" | ")), met)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_met_when_ours_is_near_std_and_ahead_of_all_others() {
        let times =
            |std: f64, ours, others: [f64; 2]| [std, ours, others[0], others[1]].map(|time| vec![time]);
        assert!(row(&CASES[0], &times(10.0, 15.0, [45.0, 100.0])).1);
        assert!(!row(&CASES[0], &times(10.0, 15.1, [46.0, 100.0])).1);
        assert!(!row(&CASES[0], &times(10.0, 15.0, [44.0, 100.0])).1);
    }

    #[test]
    fn a_ratio_is_taken_within_a_repetition() {
        let times = [vec![1.0, 10.0, 2.0], vec![1.2, 12.0, 2.4], vec![9.0, 90.0, 9.0]];
        let (line, met) = row(&CASES[0], &times);
        assert!(line.contains("| 2.00 | 2.40 | 9.0 (7.5x) | 1.20 |"), "{line}");
        assert!(met);
    }
}
