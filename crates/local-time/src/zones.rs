//! Time zones by their names.

use codewhale_mcp_server::Failure;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::World;

/// The zone with this name, or where the server is.
pub(crate) fn zone(name: Option<&str>, world: &World) -> Result<TimeZone, Failure> {
    let Some(name) = name else { return Ok(world.zone.clone()) };
    let unknown = |_| Failure::told(format!("there is no time zone {name:?}; list_timezones names them"));
    TimeZoneDatabase::bundled().get(name).map_err(unknown)
}

/// Every name, sorted.
pub(crate) fn all_zones() -> Vec<String> {
    let mut names: Vec<String> =
        TimeZoneDatabase::bundled().available().map(|name| name.as_str().to_owned()).collect();
    names.sort_unstable();
    names
}
