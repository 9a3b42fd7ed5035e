//! The reference server `mcp-server-time`, in both eras.

use codewhale_mcp_protocol::{Era, Revision, code};
use serde_json::json;

use crate::check::{Check, Outcome, checks, checks_with};
use crate::expect::{contains, refused, same, say_failed, structured, tools};
use crate::peer::{in_era, newest, plain, speaks, with};
use crate::world::World;

pub(crate) fn checks() -> Vec<Check> {
    let mut all = checks!["time"; is_found_to_be_modern];
    all.extend(
        checks_with!["time (modern)", Era::Modern; tells_and_converts_the_time, fails_with_its_reason],
    );
    all.extend(
        checks_with!["time (legacy)", Era::Legacy; tells_and_converts_the_time, fails_with_its_reason],
    );
    all
}

async fn is_found_to_be_modern(world: &World) -> Outcome {
    with(world.time(), plain(), async |client| {
        speaks(client, Revision::V2026_07_28)?;
        let info = client.server().server_info.as_ref().ok_or("it has no name")?;
        same("its name", &*info.name, "mcp-time")?;
        same("its version", &*info.version, "2026.10.19")
    })
    .await
}

async fn tells_and_converts_the_time(world: &World, era: Era) -> Outcome {
    with(world.time(), in_era(era), async |client| {
        speaks(client, newest(era))?;
        same("the tools", tools(client).await?, ["convert_time", "get_current_time"])?;
        let now = structured(client, "get_current_time", json!({ "timezone": "Asia/Kathmandu" })).await?;
        contains(now["datetime"].as_str().unwrap_or_default(), "+05:45")?;
        let which = json!({ "source_timezone": "UTC", "time": "12:30", "target_timezone": "Asia/Kathmandu" });
        let both = structured(client, "convert_time", which).await?;
        same("the difference", &both["time_difference"], "+5.75h")?;
        contains(both["target"]["datetime"].as_str().unwrap_or_default(), "T18:15:00+05:45")
    })
    .await
}

async fn fails_with_its_reason(world: &World, era: Era) -> Outcome {
    with(world.time(), in_era(era), async |client| {
        let nowhere = json!({ "timezone": "Moon/Base" });
        contains(&say_failed(client, "get_current_time", nowhere).await?, "Invalid timezone")?;
        let error = refused(client.call_tool("no_such_tool", &json!({})).send().await)?;
        same("the code", error.code, code::INVALID_PARAMS)
    })
    .await
}
