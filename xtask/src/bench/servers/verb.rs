//! What `cargo xtask bench server` does, in order.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::cases::{CASES, Case, Row};
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
    let mut numbers = [const { [const { Vec::new() }; 2] }; CASES.len()];
    for rows in numbers.iter_mut().flatten() {
        *rows = vec![Vec::new(); servers.len()];
    }
    for repetition in 0..repetitions {
        let start = Instant::now();
        for (case, numbers) in CASES.iter().zip(&mut numbers) {
            let mut order: Vec<usize> = (0..servers.len()).collect();
            if repetition % 2 == 1 {
                order.reverse();
            }
            for at in order {
                let measured = measured(&ours.floor, &servers[at], case, quick)?;
                for (row, number) in numbers.iter_mut().zip(measured) {
                    row[at].push(number);
                }
            }
        }
        eprintln!("repetition {} of {repetitions}: {:.0} s", repetition + 1, start.elapsed().as_secs_f64());
    }
    println!("load after: {}\n", load());
    println!("| µs | {} | ours/std | wanted |", names(&servers).join(" | "));
    println!("|---|{}---|---|", "---|".repeat(servers.len()));
    let rows: Vec<(String, bool)> = CASES
        .iter()
        .flat_map(|case| &case.rows)
        .zip(numbers.iter().flatten())
        .map(|(wanted, numbers)| row(wanted, numbers))
        .collect();
    rows.iter().for_each(|(line, _)| println!("{line}"));
    println!("\n{} of {} rows as wanted", rows.iter().filter(|(_, met)| *met).count(), rows.len());
    Ok(())
}

fn names(servers: &[Served]) -> Vec<&'static str> {
    servers.iter().map(|server| server.name).collect()
}

/// Microseconds of one call, for each row of a case.
fn measured(floor: &Path, server: &Served, case: &Case, quick: bool) -> Result<[f64; 2], String> {
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
    let number = |row: &Row| {
        let number = said[row.member].as_f64().filter(|_| output.status.success());
        number.map(|number| if row.is_sum { number / f64::from(n) } else { number })
    };
    match [number(&case.rows[0]), number(&case.rows[1])] {
        [Some(one), Some(other)] => Ok([one, other]),
        _ => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            Err(format!("{}, {}: {}: {}", case.scenario, server.name, output.status, stderr.trim()))
        }
    }
}

/// The line of a row, and whether ours is as it was wanted. The servers are in the order of `served`: std, ours, others.
fn row(wanted: &Row, times: &[Vec<f64>]) -> (String, bool) {
    let (std, ours, others) = (&times[0], &times[1], &times[2..]);
    let ratio = |over: &[f64], under: &[f64]| median(over.iter().zip(under).map(|(a, b)| a / b).collect());
    let over_std = ratio(ours, std);
    let over_ours: Vec<f64> = others.iter().map(|other| ratio(other, ours)).collect();
    let near = wanted.over_std.is_none_or(|most| over_std <= most);
    let ahead = wanted.over_ours.is_none_or(|least| over_ours.iter().all(|times| *times >= least));
    let met = near && ahead;
    let middles: Vec<String> = times
        .iter()
        .enumerate()
        .map(|(at, all)| match at.checked_sub(2) {
            None => format!("{:.2}", median(all.clone())),
            Some(other) => format!("{:.1} ({:.1}x)", median(all.clone()), over_ours[other]),
        })
        .collect();
    let verdict = if met { "met" } else { "**missed**" };
    let limits = [
        wanted.over_std.map(|most| format!("≤ {most}x std")),
        wanted.over_ours.map(|least| format!("others ≥ {least}x ours")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let line = format!(
        "| {} | {} | {over_std:.2} | {}: {verdict} |",
        wanted.name,
        middles.join(" | "),
        limits.join(", ")
    );
    (line, met)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_met_when_ours_is_near_std_and_ahead_of_all_others() {
        let times =
            |std: f64, ours, others: [f64; 2]| [std, ours, others[0], others[1]].map(|time| vec![time]);
        let [alone, many] = &CASES;
        assert!(row(&many.rows[0], &times(10.0, 20.0, [60.0, 100.0])).1);
        assert!(!row(&many.rows[0], &times(10.0, 20.1, [61.0, 100.0])).1);
        assert!(!row(&many.rows[0], &times(10.0, 20.0, [59.0, 100.0])).1);
        assert!(
            row(&alone.rows[0], &times(10.0, 15.0, [16.0, 17.0])).1,
            "who is alone is not held against others"
        );
        for case in &CASES {
            assert!(row(&case.rows[1], &times(1.0, 15.0, [45.0, 46.0])).1, "CPU is not held against std");
            assert!(!row(&case.rows[1], &times(1.0, 15.0, [44.0, 46.0])).1);
        }
    }

    #[test]
    fn a_ratio_is_taken_within_a_repetition() {
        let times = [vec![1.0, 10.0, 2.0], vec![1.2, 12.0, 2.4], vec![9.0, 90.0, 9.0]];
        let (line, met) = row(&CASES[0].rows[0], &times);
        assert!(line.contains("| 2.00 | 2.40 | 9.0 (7.5x) | 1.20 |"), "{line}");
        assert!(met);
    }
}
