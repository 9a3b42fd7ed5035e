//! The same server made with FastMCP and with rmcp, in both eras: long calls, cancellation, a list that grows.

use std::path::Path;
use std::time::Duration;

use codewhale_mcp_client::{CallError, Change};
use codewhale_mcp_protocol::{Era, SubscriptionFilter, code};
use serde_json::json;
use tokio::sync::oneshot;

use crate::check::{Check, Outcome, checks_with};
use crate::expect::{holds, refused, same, say, text, tools};
use crate::made_by::{Made, Maker};
use crate::peer::{failed, in_era, with};
use crate::world::World;

pub(crate) fn checks(made: Made) -> Vec<Check> {
    checks_with![&made.to_string(), made;
        reports_progress,
        sees_that_a_call_was_dropped,
        sees_that_a_call_took_too_long,
        answers_many_calls_at_once,
        tells_of_a_new_tool,
    ]
}

async fn reports_progress(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let mut seen = Vec::new();
        let result = client
            .call_tool("counts", &json!({ "to": 8 }))
            .on_progress(|progress| seen.push((progress.progress, progress.message)))
            .send()
            .await
            .map_err(failed)?;
        same("the result", &*text(&result), "counted to 8")?;
        let wanted: Vec<_> = (1..=8).map(|step| (f64::from(step), Some(format!("step {step}")))).collect();
        same("the progress", seen, wanted)
    })
    .await
}

async fn sees_that_a_call_was_dropped(world: &World, made: Made) -> Outcome {
    let folder = world.folder()?;
    let trace = folder.path().join("trace");
    with(world.made(made).await?, in_era(made.era), async |client| {
        let (started, has_started) = oneshot::channel();
        let mut started = Some(started);
        let trace_it = json!({ "trace": trace });
        let call = client.call_tool("waits", &trace_it).on_progress(|_| {
            if let Some(started) = started.take() {
                let _ = started.send(());
            }
        });
        tokio::select! {
            result = call.send() => return Err(format!("it did not wait: {result:?}")),
            _ = has_started => {}
        }
        written(&trace).await;
        same("the echo", &*say(client, "say", json!({ "text": "still here" })).await?, "still here")
    })
    .await
}

async fn sees_that_a_call_took_too_long(world: &World, made: Made) -> Outcome {
    let folder = world.folder()?;
    let trace = folder.path().join("trace");
    with(world.made(made).await?, in_era(made.era), async |client| {
        let trace_it = json!({ "trace": trace });
        let call = client.call_tool("waits", &trace_it).timeout(Duration::from_millis(700));
        match call.send().await {
            Err(CallError::ServerTimedOut { .. }) => {}
            other => return Err(format!("it did not time out: {other:?}")),
        }
        written(&trace).await;
        same("the echo", &*say(client, "say", json!({ "text": "still here" })).await?, "still here")
    })
    .await
}

/// The server has written down that a call was cancelled. Only the file tells; the check's deadline bounds it.
async fn written(trace: &Path) {
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    while std::fs::read_to_string(trace).unwrap_or_default() != "cancelled\n" {
        looks.tick().await;
    }
}

async fn answers_many_calls_at_once(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let mut calls = tokio::task::JoinSet::new();
        for number in 0..200 {
            let client = client.clone();
            calls.spawn_local(async move {
                let sent = format!("number {number}");
                let said = say(&client, "say", json!({ "text": sent })).await?;
                same("the echo", said, sent)
            });
        }
        while let Some(done) = calls.join_next().await {
            done.map_err(|error| error.to_string())??;
        }
        Ok(())
    })
    .await
}

async fn tells_of_a_new_tool(world: &World, made: Made) -> Outcome {
    let _turn = world.shared.telling(made.by).await;
    with(world.made(made).await?, in_era(made.era), async |client| {
        let name = made.grown();
        let before = tools(client).await?;
        holds("it is not there yet", !before.contains(&name))?;
        let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
        let changes = client.subscribe(filter).await;
        same("the call", &*say(client, "grows", json!({ "name": name })).await?, "grown")?;
        match (made.with, made.era) {
            // It says that it tells of changes and has nobody listen.
            (Maker::FastMcp, Era::Modern) => {
                same("the code", refused(changes)?.code, code::METHOD_NOT_FOUND)?;
            }
            _ => same("the change", changes.map_err(failed)?.next().await, Some(Change::Tools))?,
        }
        holds("it is listed", tools(client).await?.contains(&name))?;
        same("the new tool", &*say(client, &name, json!({})).await?, "new here")
    })
    .await
}
