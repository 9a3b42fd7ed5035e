//! The reference server `server-everything`: what it asks of the client, and its tasks.

use codewhale_mcp_client::{Client, Started};
use codewhale_mcp_protocol::{ElicitAction, TaskStatus};
use serde_json::json;

use crate::by::By;
use crate::check::{Check, Outcome, checks_with};
use crate::expect::{contains, holds, refused, same, say, text, tools};
use crate::peer::{answered_by, failed, plain, with};
use crate::person::Person;
use crate::world::World;

pub(crate) fn checks(by: By) -> Vec<Check> {
    checks_with![&format!("everything ({by})"), by;
        shows_more_tools_to_a_client_that_can_do_more,
        asks_a_person_who_accepts,
        asks_a_person_who_declines,
        asks_a_person_who_cancels,
        sends_a_person_to_an_address,
        needs_an_address_to_be_visited_first,
        asks_a_model,
        is_told_that_the_model_may_not_be_asked,
        asks_for_directories_and_is_told_of_new_ones,
        makes_a_task_of_a_call,
        asks_a_person_within_a_task,
        gives_a_task_up,
    ]
}

async fn shows_more_tools_to_a_client_that_can_do_more(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({}));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let names = tools(client).await?;
        same("the number of tools", names.len(), 17)?;
        for name in [
            "get-roots-list",
            "trigger-elicitation-request",
            "trigger-sampling-request",
            "trigger-url-elicitation",
        ] {
            holds(&format!("{name} is there"), names.iter().any(|found| found == name))?;
        }
        Ok(())
    })
    .await
}

async fn asks_a_person_who_accepts(world: &World, by: By) -> Outcome {
    let person =
        Person::who_accepts(json!({ "name": "Ünal", "check": true, "integer": 3, "petType": "pet-2" }));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let said = say(client, "trigger-elicitation-request", json!({})).await?;
        contains(&said, "- Name: Ünal\n- Agreed to terms: true\n- Favorite Integer: 3\n- Pet Type: pet-2")?;
        same("the number of questions", person.asked().len(), 1)
    })
    .await
}

async fn asks_a_person_who_declines(world: &World, by: By) -> Outcome {
    let person = Person::who_answers(ElicitAction::Decline);
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let said = say(client, "trigger-elicitation-request", json!({})).await?;
        contains(&said, "User declined")?;
        contains(&said, "\"action\": \"decline\"\n}")
    })
    .await
}

async fn asks_a_person_who_cancels(world: &World, by: By) -> Outcome {
    let person = Person::who_answers(ElicitAction::Cancel);
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        contains(&say(client, "trigger-elicitation-request", json!({})).await?, "User cancelled")
    })
    .await
}

async fn sends_a_person_to_an_address(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({}));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let which = json!({ "url": "https://example.com/pay", "elicitationId": "e-1" });
        let said = say(client, "trigger-url-elicitation", which).await?;
        contains(&said, "User completed the URL elicitation flow.\nElicitation ID: e-1")?;
        same("where the person was sent", person.asked(), ["https://example.com/pay"])
    })
    .await
}

async fn needs_an_address_to_be_visited_first(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({}));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let which = json!({ "url": "https://example.com/pay", "errorPath": true });
        let said = say(client, "trigger-url-elicitation", which).await?;
        contains(&said, "User completed the URL elicitation flow.")?;
        let asked = person.asked();
        same("the number of addresses", asked.len(), 2)?;
        same("the second address", &*asked[1], "https://example.com/pay")
    })
    .await
}

async fn asks_a_model(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({}));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let said = say(client, "trigger-sampling-request", json!({ "prompt": "Sing" })).await?;
        contains(&said, "\"text\": \"hello\"")?;
        contains(&said, "\"model\": \"whale-1\"")?;
        same("what the model was asked", person.asked(), ["Resource trigger-sampling-request context: Sing"])
    })
    .await
}

async fn is_told_that_the_model_may_not_be_asked(world: &World, by: By) -> Outcome {
    let person = Person::who_answers(ElicitAction::Decline);
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let request = json!({ "prompt": "Sing" });
        let result = client.call_tool("trigger-sampling-request", &request).send().await.map_err(failed)?;
        holds("the tool failed", result.is_error)?;
        contains(&text(&result), "MCP error -1: the person said no")
    })
    .await
}

async fn asks_for_directories_and_is_told_of_new_ones(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({})).with_roots(&[("home", "file:///home/whale")]);
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let said = say(client, "get-roots-list", json!({})).await?;
        contains(&said, "Current MCP Roots (1 total):\n\n1. home\n   URI: file:///home/whale")?;
        let mut events = client.events();
        person.now_has_roots(&[("a", "file:///a"), ("b", "file:///b")]);
        client.roots_changed();
        // It says in its log that it has the new ones.
        while let Some(event) = events.next().await {
            if format!("{event:?}").contains("2 root(s) received") {
                break;
            }
        }
        contains(&say(client, "get-roots-list", json!({})).await?, "2. b\n   URI: file:///b")
    })
    .await
}

async fn makes_a_task_of_a_call(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let listed = client.list_tools().await.map_err(failed)?;
        let tool = listed.items.iter().find(|tool| tool.name == "simulate-research-query");
        let tool = tool.ok_or("the tool is not there")?;
        holds("it has to be a task", client.must_be_a_task(tool))?;
        let result = client.call_listed_tool(tool, &json!({ "topic": "krill" })).await.map_err(failed)?;
        contains(&text(&result), "# Research Report: krill")?;
        let known = client.list_tasks().await.map_err(failed)?.items;
        same("the number of tasks", known.len(), 1)?;
        same("how it stands", &known[0].status, &TaskStatus::Completed)
    })
    .await
}

async fn asks_a_person_within_a_task(world: &World, by: By) -> Outcome {
    let person = Person::who_accepts(json!({ "interpretation": "snake" }));
    with(world.everything(by).await?, answered_by(&person, plain()), async |client| {
        let topic = json!({ "topic": "python", "ambiguous": true });
        let started = start(client, topic).await?;
        let result = started.result().await.map_err(failed)?;
        contains(&text(&result), "# Research Report: python (snake)")?;
        same("the number of questions", person.asked().len(), 1)
    })
    .await
}

async fn gives_a_task_up(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let task = start(client, json!({ "topic": "krill" })).await?;
        let id = task.id().to_owned();
        task.cancel().await.map_err(failed)?;
        let status = client.task(id).status().await.map_err(failed)?.status;
        same("how it stands", status, TaskStatus::Cancelled)?;
        refused(client.task("no-such-task").status().await).map(drop)
    })
    .await
}

async fn start(
    client: &Client,
    arguments: serde_json::Value,
) -> Result<codewhale_mcp_client::TaskHandle, String> {
    match client.call_tool_as_task("simulate-research-query", &arguments, None).await.map_err(failed)? {
        Started::Task(_, task) => Ok(task),
        Started::Done(result) => Err(format!("it made no task of it: {}", text(&result))),
    }
}
