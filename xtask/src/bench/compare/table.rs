//! The table for people, as Markdown.

use super::cases::Case;
use super::results::Results;
use super::targets::{Target, Verdict};

/// The lines of the table: each number of each row, its middle for every client, ours as ratios, and the target.
pub(super) fn lines(
    cases: &[&Case],
    clients: &[String],
    results: &Results,
    targets: &[Target],
) -> Vec<String> {
    let mut lines = vec![
        format!("| row | | {} | ours/floor | ours/rmcp | target | |", clients.join(" | ")),
        format!("|---|---|{}---|---|---|---|", "---|".repeat(clients.len())),
    ];
    for case in cases {
        for (at, figure) in case.figures.iter().enumerate() {
            let middles = clients.iter().map(|client| {
                let middle = results.middle(case.name, client, *figure);
                middle.map_or_else(absent, |number| short(number / figure.scale()))
            });
            let ratio = |other| {
                let ratio = results.ratio((case.name, "ours"), (case.name, other), *figure);
                ratio.map_or_else(absent, |ratio| format!("{ratio:.2}"))
            };
            let target = targets.iter().find(|target| target.row == case.name && target.figure == *figure);
            let verdict = target.map_or("", |target| match target.verdict(results, case.name) {
                Verdict::Met => "met",
                Verdict::Missed => "**missed**",
                Verdict::Unknown => "unknown",
            });
            lines.push(format!(
                "| {} | {} | {} | {} | {} | {} | {verdict} |",
                if at == 0 { case.name } else { "" },
                figure.title(),
                middles.collect::<Vec<_>>().join(" | "),
                ratio("floor"),
                ratio("rmcp"),
                target.map(Target::text).unwrap_or_default(),
            ));
        }
    }
    lines
}

fn absent() -> String {
    "–".to_owned()
}

/// Three digits, or all before the point.
fn short(number: f64) -> String {
    match number.abs() {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::CASES;
    use super::super::figure::Figure;
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn a_row_has_a_line_for_each_number() {
        let (case, mut results) = (&CASES[0], Results::default());
        for (client, number) in [("ours", 40.0), ("floor", 20.0)] {
            results.add(case, client, Some(Sample::from([("p50_us".to_owned(), number)])));
        }
        let target = Target {
            row: case.name.to_owned(),
            figure: Figure::P50,
            floor: Some(1.4),
            rmcp: None,
            itself: None,
            beside: None,
        };
        let clients = ["ours", "floor"].map(str::to_owned);
        let lines = lines(&[case], &clients, &results, &[target]);
        assert_eq!(lines[2], "| a 100 B | p50, µs | 40.0 | 20.0 | 2.00 | – | ≤ 1.4x floor | **missed** |");
        assert_eq!(lines[3], "|  | CPU/call, µs | – | – | – | – |  |  |");
        let bars = |line: &str| line.matches('|').count();
        assert!(lines.iter().all(|line| bars(line) == bars(&lines[0])));
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([1234.5, 99.44, 0.123].map(short), ["1234", "99.4", "0.12"]);
    }
}
