//! The same server made with FastMCP and with rmcp, in both eras: what it is, its results, resources, prompts and completion.

use std::time::Duration;

use codewhale_mcp_client::EraReason;
use codewhale_mcp_protocol::{CompletionReference, ContentKind, Era, Revision, code};
use codewhale_mcp_transport::End;
use serde_json::json;

use crate::by::By;
use crate::check::{Check, Outcome, checks_with};
use crate::expect::{
    call, contains, holds, prompt, proposals, read, refused, same, say, say_failed, structured, tools, value,
};
use crate::made_by::{Made, Maker};
use crate::peer::{end_of, failed, in_era, newest, plain, speaks, with};
use crate::world::World;

pub(crate) fn checks(made: Made) -> Vec<Check> {
    let mut all = checks_with![&made.to_string(), made;
        is_the_era_that_is_found,
        says_who_it_is,
        answers_with_every_kind_of_content,
        answers_with_structured_content,
        fails_with_its_reason,
        reads_resources_and_templates,
        fills_in_prompts,
        completes_arguments,
    ];
    if made.by == By::Pipes {
        all.extend(checks_with![&made.to_string(), made; leaves_when_its_input_closes]);
    }
    if made.by == By::Pipes && made.era == Era::Modern {
        all.extend(checks_with![&made.to_string(), made; can_be_used_however_slow_to_start]);
    }
    all
}

async fn is_the_era_that_is_found(world: &World, made: Made) -> Outcome {
    let mut options = plain();
    options.memory.era = Some(made.era);
    with(world.made(made).await?, options, async |client| {
        // Both eras are spoken, and what is remembered decides which is asked for first.
        speaks(client, newest(made.era))?;
        let wanted = match made.era {
            Era::Modern => EraReason::Discovered,
            Era::Legacy => EraReason::Remembered,
        };
        same("the reason", client.server().reason, wanted)
    })
    .await
}

async fn can_be_used_however_slow_to_start(world: &World, made: Made) -> Outcome {
    let mut options = plain();
    // Nobody starts in no time: `initialize` follows the probe before the server reads either.
    options.probe_timeout = Duration::ZERO;
    with(world.made(made).await?, options, async |client| {
        if made.with == Maker::FastMcp {
            // For it the first message decides, and it refuses the other.
            speaks(client, Revision::V2026_07_28)?;
        }
        same("the number of tools", tools(client).await?.len(), 12)
    })
    .await
}

async fn leaves_when_its_input_closes(world: &World, made: Made) -> Outcome {
    let end = end_of(world.maker(made.with)?, in_era(made.era)).await?;
    same("its end", end, End::Exited(0))
}

async fn says_who_it_is(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        speaks(client, newest(made.era))?;
        let info = client.server().server_info.as_ref().ok_or("it has no name")?;
        same("its name", &*info.name, "interop")?;
        same("its version", &*info.version, "1.2.3")?;
        same("its instructions", client.server().instructions.as_deref(), Some("Made for interop."))?;
        let mut names = tools(client).await?;
        // Whoever shares the server may have let it grow.
        names.retain(|name| !name.starts_with("grown"));
        let wanted = [
            "asks",
            "asks_twice",
            "counts",
            "fails",
            "grows",
            "looks",
            "picture",
            "samples",
            "say",
            "sound",
            "waits",
            "weather",
        ];
        same("the tools", names, wanted)
    })
    .await
}

async fn answers_with_every_kind_of_content(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let text = "a\n\"b\" \u{1f433}\u{2028}\u{0}";
        same("the text", &*say(client, "say", json!({ "text": text })).await?, text)?;
        // Over HTTP a request has at most 4 MiB for the Python SDK.
        let long = "x".repeat(if made.by == By::Pipes { 4 << 20 } else { 3 << 20 });
        holds("a long text comes back whole", say(client, "say", json!({ "text": long })).await? == long)?;
        let picture = call(client, "picture", json!({})).await?;
        let wanted = ContentKind::Image { data: "iVBORw0KGgo=", mime_type: "image/png" };
        same("the picture", picture.content[0].view(), wanted)?;
        let sound = call(client, "sound", json!({})).await?;
        let wanted = ContentKind::Audio { data: "UklGRgQAAABXQVZF", mime_type: "audio/wav" };
        same("the sound", sound.content[0].view(), wanted)
    })
    .await
}

async fn answers_with_structured_content(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let found = structured(client, "weather", json!({ "city": "Łódź" })).await?;
        same("the weather", found, json!({ "city": "Łódź", "degrees": -1.5, "tags": ["cold", "ünï"] }))?;
        let listed = client.list_tools().await.map_err(failed)?;
        let tool = listed.items.iter().find(|tool| tool.name == "weather").ok_or("it is not listed")?;
        let schema = value(tool.output_schema().ok_or("it has no output schema")?);
        same("the schema's type of degrees", &schema["properties"]["degrees"]["type"], "number")
    })
    .await
}

async fn fails_with_its_reason(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        contains(&say_failed(client, "fails", json!({ "why": "because" })).await?, "because")?;
        contains(&say_failed(client, "counts", json!({ "to": "many" })).await?, "to")?;
        let error = refused(client.read_resource("interop://nothing").send().await)?;
        same("the code of an unknown resource", error.code, code::INVALID_PARAMS)
    })
    .await
}

async fn reads_resources_and_templates(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let listed = client.list_resources().await.map_err(failed)?.items;
        let uris: Vec<&str> = listed.iter().map(|resource| &*resource.uri).collect();
        same("the resources", uris, ["interop://text", "interop://bytes"])?;
        same("the text", &*read(client, "interop://text").await?, "a text, ünï")?;
        let bytes = client.read_resource("interop://bytes").send().await.map_err(failed)?;
        same("the bytes", bytes.contents[0].blob.as_deref(), Some("AAH+/w=="))?;
        let listed = client.list_resource_templates().await.map_err(failed)?.items;
        let templates: Vec<&str> = listed.iter().map(|template| &*template.uri_template).collect();
        same("the templates", templates, ["interop://item/{number}"])?;
        same("one of many", &*read(client, "interop://item/7").await?, "item 7")
    })
    .await
}

async fn fills_in_prompts(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let listed = client.list_prompts().await.map_err(failed)?.items;
        let arguments = listed[0].arguments.as_deref().unwrap_or_default();
        let found: Vec<_> =
            arguments.iter().map(|argument| (&*argument.name, argument.required == Some(true))).collect();
        same("its arguments", found, [("name", true), ("tone", false)])?;
        let said = prompt(client, "greets", &[("name", "Ünal")]).await?;
        same("the prompt", &*said, "Greet Ünal in a kind way.")?;
        let said = prompt(client, "greets", &[("name", "Eve"), ("tone", "keen")]).await?;
        same("the prompt with both", &*said, "Greet Eve in a keen way.")?;
        refused(client.get_prompt("greets", &Default::default()).send().await).map(drop)
    })
    .await
}

async fn completes_arguments(world: &World, made: Made) -> Outcome {
    with(world.made(made).await?, in_era(made.era), async |client| {
        let greets = || CompletionReference::prompt("greets");
        same("the tones", proposals(client, greets(), ("tone", "k"), &[]).await?, ["kind", "keen"])?;
        let found = proposals(client, greets(), ("tone", "for"), &[("name", "Eve")]).await?;
        same("the tone for somebody", found, ["for Eve"])?;
        let item = CompletionReference::resource("interop://item/{number}");
        let request = client.complete(item, ("number", ""), crate::expect::arguments(&[]));
        let many = request.send().await.map_err(failed)?.completion;
        same("the number of proposals", many.values.len(), 100)?;
        same("whether there are more", many.has_more, Some(true))
    })
    .await
}
