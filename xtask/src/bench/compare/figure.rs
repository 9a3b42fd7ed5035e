//! What is looked at in a sample, and which way is better.

use serde::Deserialize;

/// A number of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Figure {
    /// The time of a call in the middle of all.
    P50,
    /// Calls in a second.
    Rate,
    /// The client's own CPU for a call.
    CpuPerCall,
    /// The whole time.
    Wall,
    /// The client's own CPU.
    Cpu,
    /// Memory while what was asked for is held.
    Rss,
    /// The most memory at any time.
    Peak,
    /// Memory that each connection takes beyond the first.
    PerConnection,
    /// Connections that the server accepted.
    Connections,
    Instructions,
    PageFaults,
}

impl Figure {
    /// Its name in a sample.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::P50 => "p50_us",
            Self::Rate => "per_s",
            Self::CpuPerCall => "cpu_us_per_call",
            Self::Wall => "wall_us",
            Self::Cpu => "cpu_us",
            Self::Rss => "rss_kb",
            Self::Peak => "peak_kb",
            Self::PerConnection => "kb_per_connection",
            Self::Connections => "connections",
            Self::Instructions => "instructions",
            Self::PageFaults => "page_faults",
        }
    }

    /// Its name for people, with the unit.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::P50 => "p50, µs",
            Self::Rate => "calls/s",
            Self::CpuPerCall => "CPU/call, µs",
            Self::Wall => "time, ms",
            Self::Cpu => "CPU, ms",
            Self::Rss => "RSS, MiB",
            Self::Peak => "peak RSS, MiB",
            Self::PerConnection => "KiB/connection",
            Self::Connections => "connections",
            Self::Instructions => "instructions, 1000",
            Self::PageFaults => "page faults",
        }
    }

    /// What a number of a sample is divided by for people.
    pub(super) fn scale(self) -> f64 {
        match self {
            Self::Wall | Self::Cpu | Self::Instructions => 1000.0,
            Self::Rss | Self::Peak => 1024.0,
            _ => 1.0,
        }
    }

    pub(super) fn more_is_better(self) -> bool {
        self == Self::Rate
    }
}
