//! What the server offers: the tools, the resource and the prompt, with what they take and answer.

use std::sync::Arc;

use codewhale_mcp_server::{BuildError, Context, Failure, Server, Structured, prompt, resource, tool};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::difference::Difference;
use crate::moment::{Moment, formatted, parsed};
use crate::zones::{all_zones, zone};

/// What time it is, and where.
#[derive(Debug, Clone)]
pub struct World {
    /// The time now.
    pub now: fn() -> Timestamp,
    /// Where the server is.
    pub zone: TimeZone,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// An IANA time zone such as Asia/Shanghai. Without it: where the server is.
    tz: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Format {
    /// A time such as 2026-07-28T12:00:00Z. Without a zone or an offset it is taken to be in `tz`. Without it: now.
    time: Option<String>,
    /// The form to write it in, as strftime has it, such as %Y-%m-%d %H:%M:%S %Z.
    #[schemars(length(min = 1, max = 200))]
    format: String,
    /// An IANA time zone such as Asia/Shanghai. Without it: where the server is.
    tz: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Formatted {
    /// The time in the form that was asked for.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Span {
    /// When it begins, such as 2026-07-28T12:00:00Z. Without a zone or an offset it is taken to be in `tz`.
    from: String,
    /// When it ends. Without it: now.
    to: Option<String>,
    /// An IANA time zone such as Asia/Shanghai. Without it: where the server is.
    tz: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// A part of the names that are wanted, such as Asia or shanghai; all of them without it.
    contains: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Zones {
    /// IANA names, sorted.
    timezones: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Conversion {
    /// The time to convert, such as 09:30 or 2026-07-28 09:30.
    time: String,
    /// The place or time zone that it is said in.
    from: String,
    /// The place or time zone that it is wanted in.
    to: String,
}

/// The server.
///
/// # Errors
/// Never, since every name here is another one.
pub fn server(world: World) -> Result<Server, BuildError> {
    let world = Arc::new(world);
    let with = |world: &Arc<World>| Arc::clone(world);
    let (now, format, diff, read) = (with(&world), with(&world), with(&world), with(&world));
    Server::builder("local-time", env!("CARGO_PKG_VERSION"))
        .title("Local time")
        .instructions(
            "Ask for the time instead of guessing it. Times without a zone are local to the server.",
        )
        .tool(
            tool("get_current_time", move |place: Place, _: Context| {
                let moment = world_moment(&now, place.tz.as_deref());
                async move { moment }
            })
            .title("Current time")
            .description("Tells the date and time now, here or in another time zone.")
            .read_only(),
        )
        .tool(
            tool("format_time", move |wanted: Format, _: Context| {
                let text = format_time(&format, &wanted);
                async move { text }
            })
            .title("Format a time")
            .description("Writes a time in another form or another time zone.")
            .read_only(),
        )
        .tool(
            tool("time_diff", move |span: Span, _: Context| {
                let difference = time_diff(&diff, &span);
                async move { difference }
            })
            .title("Difference of times")
            .description("Tells how long it is from one time to another.")
            .read_only(),
        )
        .tool(
            tool("list_timezones", list_timezones)
                .title("Time zones")
                .description("Lists the names of time zones.")
                .read_only(),
        )
        .resource(
            resource("time://now", "now", move |_| {
                let text = Moment::of(&(read.now)().to_zoned_datetime(read.zone.clone())).datetime;
                async move { Ok(text) }
            })
            .title("Now")
            .description("The date and time now, where the server is.")
            .mime_type("text/plain"),
        )
        .prompt(
            prompt("convert_time", convert_time)
                .title("Convert a time")
                .description("Takes a time from one place to another."),
        )
        .build()
}

fn world_moment(world: &World, tz: Option<&str>) -> Result<Structured<Moment>, Failure> {
    Ok(Structured(Moment::of(&(world.now)().to_zoned_datetime(zone(tz, world)?))))
}

fn format_time(world: &World, wanted: &Format) -> Result<Structured<Formatted>, Failure> {
    let zone = zone(wanted.tz.as_deref(), world)?;
    let time = match &wanted.time {
        Some(time) => parsed(time, &zone)?,
        None => (world.now)().to_zoned_datetime(zone),
    };
    Ok(Structured(Formatted { text: formatted(&time, &wanted.format)? }))
}

fn time_diff(world: &World, span: &Span) -> Result<Structured<Difference>, Failure> {
    let zone = zone(span.tz.as_deref(), world)?;
    let from = parsed(&span.from, &zone)?;
    let to = match &span.to {
        Some(to) => parsed(to, &zone)?,
        None => (world.now)().to_zoned_datetime(zone),
    };
    Ok(Structured(Difference::between(&from, &to)?))
}

async fn list_timezones(search: Search, _: Context) -> Result<Structured<Zones>, Failure> {
    let part = search.contains.unwrap_or_default().to_lowercase();
    let timezones = all_zones().into_iter().filter(|name| name.to_lowercase().contains(&part)).collect();
    Ok(Structured(Zones { timezones }))
}

async fn convert_time(wanted: Conversion, _: Context) -> Result<String, Failure> {
    let Conversion { time, from, to } = wanted;
    Ok(format!(
        "What is {time} in {from} as the time in {to}? Find the IANA time zones of both places with list_timezones, \
         convert with format_time, and say the date too if it is another one."
    ))
}
