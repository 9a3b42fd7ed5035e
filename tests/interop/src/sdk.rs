//! A server made with the official Python SDK, in both eras: its own way to ask, subscriptions, lists that change.

use codewhale_mcp_client::{Change, Client};
use codewhale_mcp_protocol::{ElicitAction, Era, Revision, SubscriptionFilter};
use serde_json::json;

use crate::by::By;
use crate::check::{Check, Outcome, checks_with};
use crate::expect::{holds, prompt, read, same, say, tools};
use crate::made_by::{Made, Maker};
use crate::peer::{answered_by, failed, in_era, newest, plain, speaks, with};
use crate::person::Person;
use crate::world::World;

pub(crate) fn checks(by: By) -> Vec<Check> {
    let made = |era| Made { with: Maker::PythonSdk, era, by };
    let mut all = checks_with![&made(Era::Modern).to_string(), made(Era::Modern);
        is_found_to_be_modern,
        tells_of_a_watched_resource,
        tells_of_changed_lists,
        tells_only_what_was_asked_for,
    ];
    for era in [Era::Modern, Era::Legacy] {
        all.extend(checks_with![&made(era).to_string(), made(era);
            asks_a_person_who_accepts,
            asks_a_person_who_declines_or_cancels,
            asks_a_model_and_for_directories,
        ]);
    }
    all
}

async fn is_found_to_be_modern(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, plain(), async |client| {
        speaks(client, Revision::V2026_07_28)?;
        let info = client.server().server_info.as_ref().ok_or("it has no name")?;
        same("its name", &*info.name, "interop-sdk")?;
        same("its title", info.title.as_deref(), Some("Interop"))?;
        let mut names = tools(client).await?;
        // Whoever shares the server may have let it grow.
        names.retain(|name| !name.starts_with("grown"));
        same("the tools", names, ["asks", "grows", "looks", "samples", "touches"])?;
        same("the resource", &*read(client, "interop://watched").await?, "watched")?;
        same("the prompt", &*prompt(client, "greets", &[("name", "Eve")]).await?, "Greet Eve.")
    })
    .await
}

async fn tells_of_a_watched_resource(world: &World, made: Made) -> Outcome {
    let _turn = world.shared.telling(made.by).await;
    with(world.made(made).await?, plain(), async |client| {
        let uri = "interop://watched".to_owned();
        let filter = SubscriptionFilter {
            resource_subscriptions: Some(vec![uri.clone()]),
            ..SubscriptionFilter::default()
        };
        let mut changes = client.subscribe(filter).await.map_err(failed)?;
        same("what it watches", &changes.honoured.resource_subscriptions, &Some(vec![uri.clone()]))?;
        for _ in 0..3 {
            say(client, "touches", json!({ "uri": "interop://other" })).await?;
            say(client, "touches", json!({ "uri": uri })).await?;
            same("the change", changes.next().await, Some(Change::Resource(uri.clone())))?;
        }
        Ok(())
    })
    .await
}

async fn tells_of_changed_lists(world: &World, made: Made) -> Outcome {
    let _turn = world.shared.telling(made.by).await;
    with(world.made(made).await?, plain(), async |client| {
        let filter = SubscriptionFilter {
            tools_list_changed: Some(true),
            prompts_list_changed: Some(true),
            resources_list_changed: Some(true),
            ..SubscriptionFilter::default()
        };
        let mut changes = client.subscribe(filter.clone()).await.map_err(failed)?;
        same("what it tells", &changes.honoured, &filter)?;
        let name = made.grown();
        let before = tools(client).await?;
        holds("it is not there yet", !before.contains(&name))?;
        say(client, "grows", json!({ "name": name })).await?;
        let mut told = Vec::new();
        for _ in 0..3 {
            told.push(changes.next().await);
        }
        same("the changes", told, [Some(Change::Tools), Some(Change::Prompts), Some(Change::Resources)])?;
        grown(client, &name).await
    })
    .await
}

/// Everything new is there and can be used.
async fn grown(client: &Client, name: &str) -> Outcome {
    same("the new tool", &*say(client, name, json!({})).await?, "new here")?;
    holds("the new tool is listed", tools(client).await?.iter().any(|listed| listed == name))?;
    same("the new prompt", &*prompt(client, name, &[]).await?, "new here")?;
    same("the new resource", &*read(client, &format!("interop://{name}")).await?, "new here")
}

async fn tells_only_what_was_asked_for(world: &World, made: Made) -> Outcome {
    let _turn = world.shared.telling(made.by).await;
    with(world.made(made).await?, plain(), async |client| {
        let prompts =
            SubscriptionFilter { prompts_list_changed: Some(true), ..SubscriptionFilter::default() };
        let mut changes = client.subscribe(prompts).await.map_err(failed)?;
        say(client, "grows", json!({ "name": format!("{}_unasked", made.grown()) })).await?;
        same("the change", changes.next().await, Some(Change::Prompts))?;
        drop(changes);
        // Two streams side by side, and one that has ended before.
        let watch = |uri: &str| SubscriptionFilter {
            resource_subscriptions: Some(vec![uri.to_owned()]),
            ..SubscriptionFilter::default()
        };
        let mut one = client.subscribe(watch("interop://one")).await.map_err(failed)?;
        let mut two = client.subscribe(watch("interop://two")).await.map_err(failed)?;
        say(client, "touches", json!({ "uri": "interop://two" })).await?;
        say(client, "touches", json!({ "uri": "interop://one" })).await?;
        same("the first stream's", one.next().await, Some(Change::Resource("interop://one".into())))?;
        same("the second stream's", two.next().await, Some(Change::Resource("interop://two".into())))
    })
    .await
}

async fn asks_a_person_who_accepts(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({ "name": "Ünal", "age": 8 }));
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        speaks(client, newest(made.era))?;
        same("the answer", &*say(client, "asks", json!({})).await?, "accept Ünal 8")?;
        same("the questions", person.asked(), ["Who are you?"])
    })
    .await
}

async fn asks_a_person_who_declines_or_cancels(world: &World, made: Made) -> Outcome {
    for (action, word) in [(ElicitAction::Decline, "decline"), (ElicitAction::Cancel, "cancel")] {
        let person = Person::who_answers(action);
        with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
            same("the answer", &*say(client, "asks", json!({})).await?, word)
        })
        .await?;
    }
    Ok(())
}

async fn asks_a_model_and_for_directories(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({})).with_roots(&[("a", "file:///a")]);
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        same("the model's answer", &*say(client, "samples", json!({})).await?, "whale-1 said hello")?;
        same("the directories", &*say(client, "looks", json!({})).await?, "a=file:///a")?;
        same("what was asked", person.asked(), ["Say something"])
    })
    .await
}
