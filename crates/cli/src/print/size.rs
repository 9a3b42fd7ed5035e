//! Numbers of bytes and times, for people.

use std::time::Duration;

/// A number of bytes in a unit that keeps it short.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let (mut value, mut unit) = (count as f64 / 1024.0, UNITS[0]);
    for next in &UNITS[1..] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, next);
    }
    format!("{value:.1} {unit}")
}

/// A time in milliseconds below a second, in seconds above.
pub(crate) fn time(time: Duration) -> String {
    match time.as_millis() {
        millis @ 0..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{} s", time.as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        let check = |count, text: &str| assert_eq!(bytes(count), text);
        check(0, "0 B");
        check(1023, "1023 B");
        check(1024, "1.0 KiB");
        check(5 * 1024 * 1024, "5.0 MiB");
        assert_eq!(time(Duration::from_micros(1_500)), "1 ms");
        assert_eq!(time(Duration::from_millis(1_234)), "1.2 s");
        assert_eq!(time(Duration::from_secs(1800)), "1800 s");
    }
}
