//! A number beside the most it may be.

/// One line of a report.
pub(super) struct Limit {
    pub(super) what: String,
    pub(super) measured: f64,
    pub(super) most: f64,
    pub(super) unit: &'static str,
}

/// Prints the table and its sum; a number over its limit is an error.
pub(super) fn report(limits: &[Limit]) -> Result<(), String> {
    for limit in limits {
        println!("{}", line(limit));
    }
    let over = limits.iter().filter(|limit| is_over(limit)).count();
    println!("{} passed, {over} failed", limits.len() - over);
    if over == 0 { Ok(()) } else { Err(format!("{over} numbers over their limits")) }
}

fn line(limit: &Limit) -> String {
    let Limit { what, measured, most, unit } = limit;
    let verdict = if is_over(limit) { "OVER" } else { "ok" };
    format!("{what:44} {measured:10.3} of {most:10.3} {unit:12} {verdict}")
}

/// A number that could not be had is over every limit.
fn is_over(limit: &Limit) -> bool {
    limit.measured.is_nan() || limit.measured > limit.most
}

/// The middle of many measurements.
pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_over_its_limit_fails_the_report() {
        let limit = |measured| Limit { what: "x".to_owned(), measured, most: 10.0, unit: "ms" };
        assert!(report(&[limit(1.0), limit(10.0)]).is_ok());
        assert!(report(&[limit(1.0), limit(10.1)]).is_err());
        assert!(report(&[limit(f64::NAN)]).is_err());
        assert!(line(&limit(10.1)).ends_with("OVER"));
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 5.0]), 5.0);
        assert!(median(vec![]).is_nan());
    }
}
