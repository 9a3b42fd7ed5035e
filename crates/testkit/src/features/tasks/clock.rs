//! The time of day as tasks tell it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in the form of ISO 8601 with seconds.
pub(super) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    iso(seconds)
}

/// The day's date by the civil calendar of 400-year eras that begin in March.
fn iso(seconds: u64) -> String {
    let (day, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn known_moments_have_their_date() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso(1_785_283_199), "2026-07-28T23:59:59Z");
    }
}
