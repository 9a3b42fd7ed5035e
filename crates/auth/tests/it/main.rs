//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod kept;
