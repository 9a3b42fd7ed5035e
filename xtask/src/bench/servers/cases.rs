//! What is done with each server, and what ours has to come to.

/// So many calls, one way. Its numbers are microseconds of a call, so that less is better in all.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) scenario: &'static str,
    pub(super) inflight: u32,
    /// For the fastest; the others answer their share.
    pub(super) calls: u32,
    pub(super) rows: [Row; 2],
}

/// One number of a case.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The member of the floor's line that is looked at.
    pub(super) member: &'static str,
    /// Whether that is for all calls together.
    pub(super) is_sum: bool,
    /// The most that ours may take, in times of the one with nothing but std.
    pub(super) over_std: Option<f64>,
    /// The least that every SDK has to take, in times of ours.
    pub(super) over_ours: Option<f64>,
}

/// What the server itself uses, apart from the system that wakes it and whoever calls it.
const fn cpu(name: &'static str) -> Row {
    Row { name, member: "server_cpu_us", is_sum: true, over_std: None, over_ours: Some(3.0) }
}

pub(super) const CASES: [Case; 2] = [
    Case {
        scenario: "seq",
        inflight: 1,
        calls: 40_000,
        rows: [
            // Nine tenths of it are spent on waking a processor, whoever answers: no server can be three times ahead.
            Row {
                name: "one after another, p50",
                member: "p50_us",
                is_sum: false,
                over_std: Some(1.5),
                over_ours: None,
            },
            cpu("one after another, CPU of the server"),
        ],
    },
    Case {
        scenario: "pipe",
        inflight: 256,
        calls: 400_000,
        rows: [
            Row {
                name: "256 in flight, time of a call",
                member: "wall_us",
                is_sum: true,
                over_std: Some(2.0),
                over_ours: Some(3.0),
            },
            cpu("256 in flight, CPU of the server"),
        ],
    },
];
