//! What is done: a row of the table each.

use super::figure::Figure::{
    self, Connections, Cpu, CpuPerCall, Instructions, P50, PageFaults, Peak, PerConnection, Rate, Rss, Wall,
};
use super::options::Pace;
use crate::bench::programs::Through;
use crate::bench::server::Way;

/// How fast a client is about, so that all take about as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speed {
    Fast,
    Rmcp,
    Node,
    Python,
}

/// A row.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) does: Does,
    pub(super) figures: &'static [Figure],
    /// What ours goes through; the others are what they are elsewhere.
    pub(super) through: Through,
}

#[derive(Debug)]
pub(super) enum Does {
    /// One call after another.
    Sequence(Option<Way>, Calls),
    /// So many calls in flight all the time.
    InFlight(Option<Way>, u32, Calls),
    /// So many servers at once.
    Connect(u32),
    /// A list of tools, of a server with these options.
    List(&'static str),
    /// The start of the program, and its end.
    Start,
}

/// What is sent, and how often by [`Speed`].
#[derive(Debug)]
pub(super) struct Calls {
    pub(super) size: u32,
    pub(super) kind: &'static str,
    n: [u32; 4],
}

impl Calls {
    /// How often it is called.
    pub(super) fn n(&self, speed: Speed, pace: Pace) -> u32 {
        let full = self.n[speed as usize];
        match pace {
            Pace::Full => full,
            Pace::Quick => full.div_ceil(4),
        }
    }
}

const fn of(size: u32, n: [u32; 4]) -> Calls {
    Calls { size, kind: "plain", n }
}

/// Calls of 100 bytes.
const fn small(n: [u32; 4]) -> Calls {
    of(100, n)
}

const ALONE: &[Figure] = &[P50, CpuPerCall];
const LARGEST: &[Figure] = &[P50, CpuPerCall, Peak];
const MANY: &[Figure] = &[Rate, CpuPerCall];
const HTTP_ALONE: &[Figure] = &[P50, CpuPerCall, Connections];
const HTTP_MANY: &[Figure] = &[Rate, CpuPerCall, Connections];
const SERVERS: &[Figure] = &[Wall, Cpu, Rss, PerConnection];
const LIST: &[Figure] = &[Wall, Cpu, Rss];

const fn case(name: &'static str, does: Does, figures: &'static [Figure]) -> Case {
    Case { name, does, figures, through: Through::Client }
}

const fn managed(name: &'static str, does: Does, figures: &'static [Figure]) -> Case {
    Case { name, does, figures, through: Through::Manager }
}

const MIB: u32 = 1 << 20;
const HTTP_N: [u32; 4] = [15_000, 4_000, 1_000, 400];
const HTTP_SEQUENCE: [u32; 4] = [5_000, 2_000, 500, 200];

pub(super) const CASES: &[Case] = &[
    case("a 100 B", Does::Sequence(None, small([20_000, 8_000, 3_000, 800])), ALONE),
    managed("a 100 B, by the manager", Does::Sequence(None, small([20_000, 8_000, 3_000, 800])), ALONE),
    case("a 1 MiB", Does::Sequence(None, of(MIB, [60, 30, 8, 5])), ALONE),
    case(
        "a 1 MiB, escaped",
        Does::Sequence(None, Calls { size: MIB, kind: "esc", n: [60, 30, 8, 5] }),
        ALONE,
    ),
    case("a 16 MiB", Does::Sequence(None, of(16 * MIB, [4, 3, 1, 1])), LARGEST),
    case("b 16 in flight", Does::InFlight(None, 16, small([150_000, 20_000, 6_000, 1_500])), MANY),
    case("b 256 in flight", Does::InFlight(None, 256, small([150_000, 20_000, 6_000, 1_500])), MANY),
    case("b 4096 in flight", Does::InFlight(None, 4096, small([150_000, 20_000, 6_000, 4_200])), MANY),
    case("c 256 servers", Does::Connect(256), SERVERS),
    managed("c 256 servers, by the manager", Does::Connect(256), SERVERS),
    case("d 10,000 tools, whole", Does::List("--tools 10000"), LIST),
    case("d 10,000 tools, paged", Does::List("--tools 10000 --page 100"), LIST),
    case("e JSON, alone", Does::Sequence(Some(Way::Json), small(HTTP_SEQUENCE)), HTTP_ALONE),
    case("e JSON, 16 in flight", Does::InFlight(Some(Way::Json), 16, small(HTTP_N)), HTTP_MANY),
    case("e JSON, 256 in flight", Does::InFlight(Some(Way::Json), 256, small(HTTP_N)), HTTP_MANY),
    case("e SSE, alone", Does::Sequence(Some(Way::Sse), small(HTTP_SEQUENCE)), HTTP_ALONE),
    case("e SSE, 16 in flight", Does::InFlight(Some(Way::Sse), 16, small(HTTP_N)), HTTP_MANY),
    case("e SSE, 256 in flight", Does::InFlight(Some(Way::Sse), 256, small(HTTP_N)), HTTP_MANY),
    case("f --version", Does::Start, &[Wall, Instructions, PageFaults]),
];
