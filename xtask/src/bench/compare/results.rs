//! All samples, and the ratios within each repetition.

use std::collections::BTreeMap;

use super::cases::Case;
use super::figure::Figure;
use super::sample::Sample;
use crate::bench::limit::median;

/// Samples by row and client, one or none for each repetition.
#[derive(Debug, Default)]
pub(super) struct Results {
    samples: BTreeMap<(&'static str, String), Vec<Option<Sample>>>,
}

impl Results {
    pub(super) fn add(&mut self, case: &Case, client: &str, sample: Option<Sample>) {
        self.samples.entry((case.name, client.to_owned())).or_default().push(sample);
    }

    /// A number of each repetition that has it.
    pub(super) fn each(&self, row: &'static str, client: &str, figure: Figure) -> Vec<f64> {
        self.of(row, client).iter().filter_map(|sample| number(sample.as_ref(), figure)).collect()
    }

    /// The middle of them.
    pub(super) fn middle(&self, row: &'static str, client: &str, figure: Figure) -> Option<f64> {
        Some(median(self.each(row, client, figure))).filter(|number| !number.is_nan())
    }

    /// How many times the other's number one is, each of a row and a client. Neighbours in time are compared, and the
    /// middle is taken then.
    pub(super) fn ratio(
        &self,
        one: (&'static str, &str),
        other: (&'static str, &str),
        figure: Figure,
    ) -> Option<f64> {
        let pairs = self.of(one.0, one.1).iter().zip(self.of(other.0, other.1));
        let ratios = pairs.filter_map(|(one, other)| {
            let (one, other) = (number(one.as_ref(), figure)?, number(other.as_ref(), figure)?);
            (other != 0.0).then_some(one / other)
        });
        Some(median(ratios.collect())).filter(|ratio| !ratio.is_nan())
    }

    fn of(&self, row: &'static str, client: &str) -> &[Option<Sample>] {
        self.samples.get(&(row, client.to_owned())).map_or(&[], Vec::as_slice)
    }
}

fn number(sample: Option<&Sample>, figure: Figure) -> Option<f64> {
    sample?.get(figure.member()).copied()
}

#[cfg(test)]
mod tests {
    use super::super::cases::CASES;
    use super::*;

    #[test]
    fn ratios_are_taken_within_a_repetition() {
        let (case, mut results) = (&CASES[0], Results::default());
        let sample = |number| Some(Sample::from([("p50_us".to_owned(), number)]));
        for (ours, floor) in
            [(Some(30.0), Some(10.0)), (None, Some(1.0)), (Some(8.0), Some(4.0)), (Some(90.0), Some(10.0))]
        {
            results.add(case, "ours", ours.and_then(sample));
            results.add(case, "floor", floor.and_then(sample));
        }
        assert_eq!(results.each(case.name, "ours", Figure::P50), [30.0, 8.0, 90.0]);
        assert_eq!(results.middle(case.name, "ours", Figure::P50), Some(30.0));
        let ratio = |other| results.ratio((case.name, "ours"), (case.name, other), Figure::P50);
        assert_eq!((ratio("floor"), ratio("rmcp")), (Some(3.0), None));
        assert_eq!(results.middle(case.name, "ours", Figure::Rss), None);
    }
}
