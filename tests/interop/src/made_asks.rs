//! The same server made with FastMCP and with rmcp, in both eras: what it asks of people, models and directories.

use codewhale_mcp_client::CallError;
use codewhale_mcp_protocol::{ElicitAction, Era};
use serde_json::json;

use crate::check::{Check, Outcome, checks_with};
use crate::expect::{contains, holds, same, say, text};
use crate::made_by::Made;
use crate::peer::{answered_by, failed, in_era, with};
use crate::person::Person;
use crate::world::World;

pub(crate) fn checks(made: Made) -> Vec<Check> {
    let mut all = Vec::new();
    if made.era == Era::Modern {
        all.extend(checks_with![&made.to_string(), made; asks_in_two_rounds]);
    }
    all.extend(checks_with![&made.to_string(), made;
        asks_a_person_who_accepts,
        asks_a_person_who_declines,
        asks_a_person_who_cancels,
        asks_a_model,
        is_told_that_the_model_may_not_be_asked,
        asks_for_directories,
        asks_nothing_of_a_client_that_offers_nothing,
    ]);
    all
}

async fn asks_a_person_who_accepts(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({ "name": "Ünal", "age": 7, "color": "red" }));
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        let said = say(client, "asks", json!({})).await?;
        same("the answer", &*said, r#"accept {"age":7,"color":"red","name":"Ünal"}"#)?;
        same("the questions", person.asked(), ["Who are you?"])
    })
    .await
}

async fn asks_a_person_who_declines(world: &World, made: Made) -> Outcome {
    let person = Person::who_answers(ElicitAction::Decline);
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        same("the answer", &*say(client, "asks", json!({})).await?, "decline {}")
    })
    .await
}

async fn asks_a_person_who_cancels(world: &World, made: Made) -> Outcome {
    let person = Person::who_answers(ElicitAction::Cancel);
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        same("the answer", &*say(client, "asks", json!({})).await?, "cancel {}")
    })
    .await
}

async fn asks_a_model(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({}));
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        let said = say(client, "samples", json!({ "question": "Sing" })).await?;
        same("the answer", &*said, "whale-1 said hello")?;
        same("what the model was asked", person.asked(), ["Sing"])
    })
    .await
}

async fn is_told_that_the_model_may_not_be_asked(world: &World, made: Made) -> Outcome {
    let person = Person::who_answers(ElicitAction::Decline);
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        let question = json!({ "question": "Sing" });
        let result = client.call_tool("samples", &question).send().await;
        match (made.era, result) {
            // A refusal cannot be said in the modern era: the caller learns of it instead of the server.
            (Era::Modern, Err(CallError::InputRefused { refusal, .. })) => same("the code", refusal.code, -1),
            (Era::Legacy, Ok(result)) => {
                holds("the tool failed", result.is_error)?;
                contains(&text(&result), "the person said no")
            }
            (_, other) => Err(format!("it came to {other:?}")),
        }
    })
    .await
}

async fn asks_for_directories(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({})).with_roots(&[("a", "file:///a"), ("b", "file:///b%20c")]);
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        same("the directories", &*say(client, "looks", json!({})).await?, "a=file:///a b=file:///b%20c")
    })
    .await
}

async fn asks_nothing_of_a_client_that_offers_nothing(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        match client.call_tool("asks", &json!({})).send().await {
            Ok(result) => holds("the tool failed", result.is_error)?,
            Err(CallError::InputRefused { .. } | CallError::ServerError { .. }) => {}
            Err(other) => return Err(failed(other)),
        }
        same("the echo", &*say(client, "say", json!({ "text": "still here" })).await?, "still here")
    })
    .await
}

async fn asks_in_two_rounds(world: &World, made: Made) -> Outcome {
    let person = Person::who_accepts(json!({ "name": "Eve" }));
    with(world.made(made).await?, answered_by(&person, in_era(made.era)), async |client| {
        let said = say(client, "asks_twice", json!({})).await?;
        same("the answers", &*said, r#"accept {"name":"Eve"}, hello, accept {"name":"Eve"}"#)?;
        let mut asked = person.asked();
        asked.sort();
        same("the questions", asked, ["One?", "Three?", "Two?"])
    })
    .await
}
