//! The reference server `server-everything`: progress, changes, log messages.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Change, Event, Observer};
use codewhale_mcp_protocol::{LoggingLevel, SubscriptionFilter};
use serde_json::json;

use crate::by::By;
use crate::check::{Check, Outcome, checks_with};
use crate::expect::{call, contains, holds, same, say, text, tools};
use crate::peer::{answered_by, failed, plain, with};
use crate::person::Person;
use crate::world::World;

pub(crate) fn checks(by: By) -> Vec<Check> {
    checks_with![&format!("everything ({by})"), by;
        reports_progress,
        survives_a_call_that_is_given_up,
        tells_of_watched_resources,
        tells_of_new_resources,
        tells_of_tools_from_the_first_moment_on,
        sends_log_messages_from_a_level_on,
    ]
}

async fn reports_progress(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let mut seen = Vec::new();
        let arguments = json!({ "duration": 10, "steps": 5 });
        let request = client.call_tool("trigger-long-running-operation", &arguments);
        // Each step takes less than the limit on silence, all together take longer.
        let result = request
            .idle_timeout(Duration::from_secs(8))
            .on_progress(|progress| seen.push((progress.progress, progress.total)))
            .send()
            .await
            .map_err(failed)?;
        contains(&text(&result), "completed. Duration: 10 seconds, Steps: 5.")?;
        let steps: Vec<_> = seen.iter().map(|(progress, _)| *progress).collect();
        same("the progress", steps, [1.0, 2.0, 3.0, 4.0, 5.0])?;
        holds("each has the total", seen.iter().all(|(_, total)| *total == Some(5.0)))
    })
    .await
}

async fn survives_a_call_that_is_given_up(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let arguments = json!({ "duration": 2, "steps": 2 });
        let request = client.call_tool("trigger-long-running-operation", &arguments);
        match request.timeout(Duration::from_millis(200)).send().await {
            Err(CallError::ServerTimedOut { .. }) => {}
            other => return Err(format!("it did not time out: {other:?}")),
        }
        same("the echo", &*say(client, "echo", json!({ "message": "still here" })).await?, "Echo: still here")
    })
    .await
}

async fn tells_of_watched_resources(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let uri = "demo://resource/dynamic/text/1".to_owned();
        let filter = SubscriptionFilter {
            resource_subscriptions: Some(vec![uri.clone()]),
            ..SubscriptionFilter::default()
        };
        let mut changes = client.subscribe(filter).await.map_err(failed)?;
        same("what it watches", &changes.honoured.resource_subscriptions, &Some(vec![uri.clone()]))?;
        contains(&say(client, "toggle-subscriber-updates", json!({})).await?, "Started simulated")?;
        same("the change", changes.next().await, Some(Change::Resource(uri)))?;
        contains(&say(client, "toggle-subscriber-updates", json!({})).await?, "Stopped simulated")
    })
    .await
}

async fn tells_of_new_resources(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let filter =
            SubscriptionFilter { resources_list_changed: Some(true), ..SubscriptionFilter::default() };
        let mut changes = client.subscribe(filter).await.map_err(failed)?;
        let packed = json!({ "name": "new.gz", "data": "data:text/plain,whale" });
        let result = call(client, "gzip-file-as-resource", packed).await?;
        same("the number of links", result.content.len(), 1)?;
        same("the change", changes.next().await, Some(Change::Resources))?;
        let listed = client.list_resources().await.map_err(failed)?.items;
        let new = listed.iter().find(|resource| resource.uri == "demo://resource/session/new.gz");
        holds("the new resource is listed", new.is_some())
    })
    .await
}

async fn tells_of_tools_from_the_first_moment_on(world: &World, by: By) -> Outcome {
    let (observer, mut events) = Observer::new(64);
    let mut options = answered_by(&Person::who_accepts(json!({})), plain());
    options.observer = Some(observer);
    with(world.everything(by).await?, options, async |client| {
        // It adds the tools for what this client can do once the handshake is over.
        if let By::Http(_) = by {
            // There it says so before anybody can have asked for the stream that it says it on.
            return same("the number of tools", tools(client).await?.len(), 17);
        }
        loop {
            match events.next().await {
                Some(Event::ToolsChanged) => return Ok(()),
                Some(_) => {}
                None => return Err("it never said so".into()),
            }
        }
    })
    .await
}

async fn sends_log_messages_from_a_level_on(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let mut events = client.events();
        client.set_log_level(LoggingLevel::Debug).await.map_err(failed)?;
        contains(&say(client, "toggle-simulated-logging", json!({})).await?, "Started simulated")?;
        loop {
            match events.next().await {
                Some(Event::Message(message)) => {
                    let data = message.data.as_ref().map(|data| data.as_str().to_owned());
                    contains(&data.unwrap_or_default(), "message")?;
                    return holds("its level is known", message.logging_level().severity().is_some());
                }
                Some(_) => {}
                None => return Err("no message came".into()),
            }
        }
    })
    .await
}
