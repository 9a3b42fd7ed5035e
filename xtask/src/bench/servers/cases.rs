//! What is done with each server, and what ours has to come to.

/// A row. Its numbers are times of a call, so that less is better in both.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) inflight: u32,
    /// For the fastest; the others answer their share.
    pub(super) calls: u32,
    /// The member of the floor's line that is looked at.
    pub(super) member: &'static str,
    /// Whether that is for all calls together.
    pub(super) is_sum: bool,
    /// The most ours may take, in times of the one with nothing but std.
    pub(super) over_std: f64,
}

/// The least that every SDK has to take, in times of ours.
pub(super) const SDK_OVER_OURS: f64 = 3.0;

pub(super) const CASES: [Case; 2] = [
    Case {
        name: "one after another, p50",
        scenario: "seq",
        inflight: 1,
        calls: 40_000,
        member: "p50_us",
        is_sum: false,
        over_std: 1.5,
    },
    Case {
        name: "256 in flight, time of a call",
        scenario: "pipe",
        inflight: 256,
        calls: 400_000,
        member: "wall_us",
        is_sum: true,
        over_std: 2.0,
    },
];
