//! A time, as it is read and told.

use codewhale_mcp_server::Failure;
use jiff::civil::{DateTime, Weekday};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use schemars::JsonSchema;
use serde::Serialize;

/// A time in a place.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Moment {
    /// Date and time with offset and zone (RFC 9557).
    pub(crate) datetime: String,
    /// The IANA time zone, where it has a name.
    timezone: Option<String>,
    /// The offset from UTC.
    utc_offset: String,
    /// The day of the week.
    weekday: &'static str,
    /// Seconds since 1970-01-01T00:00:00Z.
    unix: i64,
}

impl Moment {
    /// To the second.
    pub(crate) fn of(time: &ZonedDateTime) -> Self {
        let weekday = match time.weekday() {
            Weekday::Monday => "Monday",
            Weekday::Tuesday => "Tuesday",
            Weekday::Wednesday => "Wednesday",
            Weekday::Thursday => "Thursday",
            Weekday::Friday => "Friday",
            Weekday::Saturday => "Saturday",
            Weekday::Sunday => "Sunday",
        };
        Self {
            datetime: format!("{time:.0}"),
            timezone: time.time_zone().iana_name().map(ToOwned::to_owned),
            utc_offset: time.offset().to_string(),
            weekday,
            unix: time.timestamp().as_second(),
        }
    }
}

/// A time that somebody wrote; one without a zone or an offset is in `zone`. It comes out in `zone`.
pub(crate) fn parsed(text: &str, zone: &TimeZone) -> Result<ZonedDateTime, Failure> {
    if let Ok(time) = text.parse::<ZonedDateTime>() {
        return Ok(time.with_time_zone(zone.clone()));
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time.to_zoned_datetime(zone.clone()));
    }
    let unreadable = |_| Failure::told(format!("{text:?} is not a time such as 2026-07-28T12:00:00Z"));
    let local = text.parse::<DateTime>().map_err(unreadable)?;
    local.to_zoned_datetime(zone.clone()).map_err(unreadable)
}

/// A time in a form of strftime.
pub(crate) fn formatted(time: &ZonedDateTime, form: &str) -> Result<String, Failure> {
    strtime::format(form, time).map_err(|error| Failure::told(error.to_string()))
}
