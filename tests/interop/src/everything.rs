//! The reference server `server-everything`: tools, resources, prompts and completion.

use codewhale_mcp_client::EraReason;
use codewhale_mcp_protocol::{CompletionReference, ContentKind, Revision, code};
use serde_json::json;

use crate::by::By;
use crate::check::{Check, Outcome, checks, checks_with};
use crate::expect::{
    call, contains, holds, prompt, proposals, read, refused, same, say, say_failed, structured, tools, value,
};
use crate::peer::{failed, plain, speaks, with};
use crate::world::World;

pub(crate) fn checks(by: By) -> Vec<Check> {
    let mut all = checks_with![&format!("everything ({by})"), by;
        says_who_it_is,
        lists_its_tools,
        answers_with_text,
        answers_with_a_picture,
        answers_with_structured_content,
        answers_with_resources_and_links,
        annotates_what_it_says,
        says_what_is_wrong_with_arguments,
        reads_its_resources,
        fills_in_its_templates,
        fills_in_its_prompts,
        completes_arguments,
    ];
    if by == By::Pipes {
        all.extend(checks!["everything (stdio)"; sees_only_the_environment_it_was_given]);
    }
    all
}

async fn says_who_it_is(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        speaks(client, Revision::V2025_11_25)?;
        let reason = match by {
            By::Pipes => EraReason::ProbeRefused(code::METHOD_NOT_FOUND),
            // Its SDK takes nothing before `initialize`, and says so with a code of its own.
            By::Http(_) => EraReason::ProbeRefused(-32000),
            By::Events(_) => EraReason::EventStream,
        };
        same("the reason", client.server().reason, reason)?;
        let info = client.server().server_info.as_ref().ok_or("it has no name")?;
        same("its name", &*info.name, "mcp-servers/everything")?;
        same("its title", info.title.as_deref(), Some("Everything Reference Server"))?;
        contains(client.server().instructions.as_deref().unwrap_or_default(), "Everything")?;
        client.ping().await.map_err(failed)
    })
    .await
}

async fn lists_its_tools(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        // Without what the tools for elicitation, sampling and roots need, those are not there.
        let wanted = [
            "echo",
            "get-annotated-message",
            "get-env",
            "get-resource-links",
            "get-resource-reference",
            "get-structured-content",
            "get-sum",
            "get-tiny-image",
            "gzip-file-as-resource",
            "simulate-research-query",
            "toggle-simulated-logging",
            "toggle-subscriber-updates",
            "trigger-long-running-operation",
        ];
        same("the tools", tools(client).await?, wanted)?;
        let listed = client.list_tools().await.map_err(failed)?;
        let sum = listed.items.iter().find(|tool| tool.name == "get-sum").ok_or("get-sum is gone")?;
        let schema = value(sum.input_schema.as_ref().ok_or("get-sum has no schema")?);
        same("what get-sum needs", &schema["required"], &json!(["a", "b"]))?;
        let hints = sum.annotations.as_ref().ok_or("get-sum has no annotations")?;
        same("whether get-sum only reads", hints.read_only_hint, Some(true))
    })
    .await
}

async fn answers_with_text(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let long = "wäl 🐳\n".repeat(100_000);
        let said = say(client, "echo", json!({ "message": long })).await?;
        holds("a long text comes back whole", said == format!("Echo: {long}"))?;
        let said = say(client, "get-sum", json!({ "a": 2, "b": 40.5 })).await?;
        same("the sum", &*said, "The sum of 2 and 40.5 is 42.5.")
    })
    .await
}

async fn answers_with_a_picture(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let result = call(client, "get-tiny-image", json!({})).await?;
        let [_, picture, _] = &result.content[..] else {
            return Err(format!("it has {} blocks", result.content.len()));
        };
        match picture.view() {
            ContentKind::Image { data, mime_type: "image/png" } => {
                holds("it is base64 of a PNG", data.starts_with("iVBORw0KGgo"))
            }
            other => Err(format!("it is {other:?}")),
        }
    })
    .await
}

async fn answers_with_structured_content(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let weather = structured(client, "get-structured-content", json!({ "location": "Chicago" })).await?;
        let wanted = json!({ "temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82 });
        same("the weather", weather, wanted)
    })
    .await
}

async fn answers_with_resources_and_links(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let which = json!({ "resourceType": "Blob", "resourceId": 7 });
        let result = call(client, "get-resource-reference", which).await?;
        match result.content.get(1).map(|content| content.view()) {
            Some(ContentKind::Resource(resource)) => {
                same("its address", &*resource.uri, "demo://resource/dynamic/blob/7")?;
                holds("it has bytes", resource.blob.is_some() && resource.text.is_none())?;
            }
            other => return Err(format!("it is {other:?}")),
        }
        let result = call(client, "get-resource-links", json!({ "count": 10 })).await?;
        let links = result.content.iter().filter_map(|content| match content.view() {
            ContentKind::ResourceLink { uri, .. } => Some(uri.to_owned()),
            _ => None,
        });
        let links: Vec<String> = links.collect();
        same("the number of links", links.len(), 10)?;
        contains(&read(client, &links[1]).await?, "Resource 2: This is a plaintext resource")?;
        let packed = json!({ "name": "a.gz", "data": "data:text/plain,whale", "outputType": "resource" });
        let result = call(client, "gzip-file-as-resource", packed).await?;
        match result.content.first().map(|content| content.view()) {
            Some(ContentKind::Resource(resource)) => {
                let blob = resource.blob.as_deref().unwrap_or_default();
                holds("it is base64 of gzip", blob.starts_with("H4sI"))
            }
            other => Err(format!("it is {other:?}")),
        }
    })
    .await
}

async fn annotates_what_it_says(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let which = json!({ "messageType": "error", "includeImage": true });
        let result = call(client, "get-annotated-message", which).await?;
        same("the number of blocks", result.content.len(), 2)?;
        let annotations = result.content[0].annotations.as_ref().ok_or("there are no annotations")?;
        let annotations = annotations.read().map_err(|error| error.to_string())?;
        let audience: Vec<String> =
            annotations.audience.unwrap_or_default().iter().map(ToString::to_string).collect();
        same("for whom it is", audience, ["user", "assistant"])
    })
    .await
}

async fn sees_only_the_environment_it_was_given(world: &World) -> Outcome {
    let mut launch = world.everything_process();
    launch.env.push(("WHALE".into(), "blue one".into()));
    let mut wanted: Vec<_> = launch.env.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    wanted.sort();
    with(launch, plain(), async |client| {
        let said = say(client, "get-env", json!({})).await?;
        let variables: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&said).map_err(|error| error.to_string())?;
        same("the value", &variables["WHALE"], "blue one")?;
        let mut names: Vec<String> = variables.keys().cloned().collect();
        names.sort();
        same("the variables", names, wanted)
    })
    .await
}

async fn says_what_is_wrong_with_arguments(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        contains(&say_failed(client, "get-sum", json!({ "a": "two" })).await?, "Invalid arguments")?;
        contains(&say_failed(client, "no-such-tool", json!({})).await?, "not found")?;
        let error = refused(client.read_resource("demo://nowhere").send().await)?;
        same("the code of an unknown resource", error.code, code::INVALID_PARAMS)?;
        let error = refused(client.get_prompt("no-such", &Default::default()).send().await)?;
        same("the code of an unknown prompt", error.code, code::INVALID_PARAMS)
    })
    .await
}

async fn reads_its_resources(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let listed = client.list_resources().await.map_err(failed)?.items;
        same("the number of resources", listed.len(), 7)?;
        for resource in listed {
            same("its media type", resource.mime_type.as_deref(), Some("text/markdown"))?;
            contains(&read(client, &resource.uri).await?, "# ")?;
        }
        Ok(())
    })
    .await
}

async fn fills_in_its_templates(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let listed = client.list_resource_templates().await.map_err(failed)?.items;
        let mut templates: Vec<String> = listed.into_iter().map(|template| template.uri_template).collect();
        templates.sort();
        let wanted =
            ["demo://resource/dynamic/blob/{resourceId}", "demo://resource/dynamic/text/{resourceId}"];
        same("the templates", templates, wanted)?;
        contains(&read(client, "demo://resource/dynamic/text/12").await?, "Resource 12: ")?;
        let bytes = client.read_resource("demo://resource/dynamic/blob/3").send().await.map_err(failed)?;
        let blob = bytes.contents.first().and_then(|part| part.blob.as_deref()).unwrap_or_default();
        // `Resource 3` as base64.
        holds("it is the base64 of its text", blob.starts_with("UmVzb3VyY2UgM"))
    })
    .await
}

async fn fills_in_its_prompts(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let listed = client.list_prompts().await.map_err(failed)?.items;
        let mut names: Vec<&str> = listed.iter().map(|prompt| &*prompt.name).collect();
        names.sort_unstable();
        same(
            "the prompts",
            names,
            ["args-prompt", "completable-prompt", "resource-prompt", "simple-prompt"],
        )?;
        let simple = prompt(client, "simple-prompt", &[]).await?;
        same("the simple one", &*simple, "This is a simple prompt without arguments.")?;
        let filled = prompt(client, "args-prompt", &[("city", "Łódź"), ("state", "PL")]).await?;
        same("the one with arguments", &*filled, "What's weather in Łódź, PL?")?;
        let filled =
            prompt(client, "completable-prompt", &[("department", "Sales"), ("name", "Eve")]).await?;
        same("the completed one", &*filled, "Please promote Eve to the head of the Sales team.")?;
        let which = crate::expect::arguments(&[("resourceType", "Text"), ("resourceId", "5")]);
        let result = client.get_prompt("resource-prompt", &which).send().await.map_err(failed)?;
        match result.messages.get(1).map(|message| message.content.view()) {
            Some(ContentKind::Resource(resource)) => {
                same("the resource that came along", &*resource.uri, "demo://resource/dynamic/text/5")
            }
            other => Err(format!("it came with {other:?}")),
        }
    })
    .await
}

async fn completes_arguments(world: &World, by: By) -> Outcome {
    with(world.everything(by).await?, plain(), async |client| {
        let team = || CompletionReference::prompt("completable-prompt");
        let found = proposals(client, team(), ("department", "S"), &[]).await?;
        same("the departments", found, ["Sales", "Support"])?;
        let found = proposals(client, team(), ("name", ""), &[("department", "Engineering")]).await?;
        same("who works there", found, ["Alice", "Bob", "Charlie"])?;
        let template = CompletionReference::resource("demo://resource/dynamic/text/{resourceId}");
        same("the numbers", proposals(client, template, ("resourceId", "12"), &[]).await?, ["12"])
    })
    .await
}
