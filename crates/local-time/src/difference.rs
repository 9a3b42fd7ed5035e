//! How long it is from one time to another.

use codewhale_mcp_server::Failure;
use jiff::{SignedDuration, Unit, ZonedDateTime};
use schemars::JsonSchema;
use serde::Serialize;

/// How long it is from one time to another; negative where that one comes first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Difference {
    /// In seconds.
    seconds: i64,
    /// In years, months, days and so on, as the calendar of the place has them.
    text: String,
    /// The same as a duration of ISO 8601.
    iso8601: String,
}

impl Difference {
    /// To the second.
    pub(crate) fn between(from: &ZonedDateTime, to: &ZonedDateTime) -> Result<Self, Failure> {
        let seconds = SignedDuration::as_secs(&to.duration_since(from));
        let span = from.until((Unit::Year, to))?;
        let span =
            span.round(jiff::SpanRound::new().largest(Unit::Year).smallest(Unit::Second).relative(from))?;
        Ok(Self { seconds, text: format!("{span:#}"), iso8601: span.to_string() })
    }
}
