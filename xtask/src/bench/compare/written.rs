//! The same for programs, as JSON.

use serde_json::{Map, Value, json};

use super::cases::Case;
use super::results::Results;
use super::targets::{Target, Verdict};

/// Each number of each row: what every client came to, the ratios, the target.
pub(super) fn rows(cases: &[&Case], clients: &[String], results: &Results, targets: &[Target]) -> Value {
    let mut rows = Vec::new();
    for case in cases {
        for figure in case.figures {
            let each: Map<String, Value> = clients
                .iter()
                .map(|client| (client.clone(), json!(results.each(case.name, client, *figure))))
                .collect();
            let ratio = |other| results.ratio((case.name, "ours"), (case.name, other), *figure);
            let target = targets.iter().find(|target| target.row == case.name && target.figure == *figure);
            let met = target.and_then(|target| match target.verdict(results, case.name) {
                Verdict::Met => Some(true),
                Verdict::Missed => Some(false),
                Verdict::Unknown => None,
            });
            rows.push(json!({
                "row": case.name,
                "figure": figure.member(),
                "each": each,
                "ours_to_floor": ratio("floor"),
                "ours_to_rmcp": ratio("rmcp"),
                "ours_to_row": target.and_then(|target| target.times_beside(results, case.name)),
                "target": target.map(Target::text),
                "met": met,
            }));
        }
    }
    Value::Array(rows)
}
