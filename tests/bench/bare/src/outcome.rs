//! What a client measures, and the line it prints at its end.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;

/// Time and CPU since it was started.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Outcome {
    wall: Duration,
    cpu: Duration,
    members: String,
}

impl Stopwatch {
    /// Starts.
    #[must_use]
    pub fn start() -> Self {
        Self { cpu: cpu(), wall: Instant::now() }
    }

    /// Stops, and reads how much memory there is now: what the client still holds is in it.
    #[must_use]
    pub fn stop(self) -> Outcome {
        let (wall, cpu) = (self.wall.elapsed(), cpu() - self.cpu);
        Outcome { wall, cpu, members: String::new() }.number("rss_kb", memory("VmRSS:"))
    }
}

impl Outcome {
    /// With how long each call took.
    #[must_use]
    pub fn calls(mut self, mut each: Vec<Duration>) -> Self {
        each.sort_unstable();
        let last = each.len().saturating_sub(1);
        for (name, hundredth) in [("min_us", 0), ("p50_us", 50), ("p99_us", 99)] {
            let at = each.get(last * hundredth / 100).copied().unwrap_or_default();
            let _ = write!(self.members, r#","{name}":{:.2}"#, at.as_secs_f64() * 1e6);
        }
        self
    }

    /// With what the server that was called has used of the CPU.
    #[must_use]
    pub fn server_cpu(self, spent: Duration) -> Self {
        self.number("server_cpu_us", u64::try_from(spent.as_micros()).unwrap_or(u64::MAX))
    }

    /// With how many tools were listed.
    #[must_use]
    pub fn tools(self, count: usize) -> Self {
        self.number("tools", count as u64)
    }

    fn number(mut self, name: &str, number: u64) -> Self {
        let _ = write!(self.members, r#","{name}":{number}"#);
        self
    }

    /// The line to print.
    #[must_use]
    pub fn line(&self, client: &str, arguments: &Arguments) -> String {
        let (wall, cpu) = (self.wall.as_micros(), self.cpu.as_micros());
        let (members, peak) = (&self.members, memory("VmHWM:"));
        format!(
            r#"{{"impl":"{client}",{arguments},"wall_us":{wall},"cpu_us":{cpu},"peak_kb":{peak}{members}}}"#
        )
    }
}

/// A number in KiB of what Linux says of this process.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(target_os = "linux")]
use crate::sys::cpu;

/// Only Linux's clock is known.
#[cfg(not(target_os = "linux"))]
fn cpu() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_holds_what_was_asked_and_what_came_out() {
        let words = ["seq", "--server", "s", "--n", "4"].map(str::to_owned);
        let arguments = Arguments::read(words).unwrap();
        let outcome = Outcome {
            wall: Duration::from_micros(90),
            cpu: Duration::from_micros(40),
            members: String::new(),
        };
        let each = [30, 10, 40, 20].map(Duration::from_micros).to_vec();
        let line = outcome.calls(each).tools(3).line("x", &arguments);
        let (begin, end) = line.split_once(r#","peak_kb":"#).unwrap();
        assert_eq!(
            begin,
            r#"{"impl":"x","scenario":"seq","n":4,"size":100,"inflight":1,"servers":1,"wall_us":90,"cpu_us":40"#
        );
        assert!(end.ends_with(r#","min_us":10.00,"p50_us":20.00,"p99_us":30.00,"tools":3}"#), "{end}");
    }
}
