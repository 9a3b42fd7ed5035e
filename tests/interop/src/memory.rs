//! The reference server `server-memory`: every tool, its resource, and being told of changes.

use std::fs;

use codewhale_mcp_client::Change;
use codewhale_mcp_protocol::{Revision, SubscriptionFilter};
use codewhale_mcp_transport::End;
use serde_json::{Value, json};

use crate::check::{Check, Outcome, checks};
use crate::expect::{contains, read, same, say_failed, structured, tools};
use crate::peer::{end_of, failed, plain, speaks, with};
use crate::world::World;

const GRAPH: &str = "memory://knowledge-graph";

pub(crate) fn checks() -> Vec<Check> {
    checks!["memory"; lists_its_tools, leaves_when_its_input_closes, keeps_a_graph, tells_of_changes, fails_with_its_reason]
}

async fn lists_its_tools(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.memory(&folder.path().join("graph")), plain(), async |client| {
        speaks(client, Revision::V2025_11_25)?;
        let wanted = [
            "add_observations",
            "create_entities",
            "create_relations",
            "delete_entities",
            "delete_observations",
            "delete_relations",
            "open_nodes",
            "read_graph",
            "search_nodes",
        ];
        same("the tools", tools(client).await?, wanted)?;
        let listed = client.list_resources().await.map_err(failed)?.items;
        let uris: Vec<&str> = listed.iter().map(|resource| &*resource.uri).collect();
        same("the resources", uris, [GRAPH])
    })
    .await
}

async fn leaves_when_its_input_closes(world: &World) -> Outcome {
    let folder = world.folder()?;
    let end = end_of(world.memory(&folder.path().join("graph")), plain()).await?;
    same("its end", end, End::Exited(0))
}

async fn keeps_a_graph(world: &World) -> Outcome {
    let folder = world.folder()?;
    let file = folder.path().join("graph");
    with(world.memory(&file), plain(), async |client| {
        let whale = json!({ "name": "whale", "entityType": "animal", "observations": ["big"] });
        let krill = json!({ "name": "krill", "entityType": "animal", "observations": [] });
        let eats = json!({ "from": "whale", "to": "krill", "relationType": "eats" });
        let made = structured(client, "create_entities", json!({ "entities": [whale, krill] })).await?;
        same("what was made", made, json!({ "entities": [whale, krill] }))?;
        let made = structured(client, "create_relations", json!({ "relations": [eats] })).await?;
        same("the relation", made, json!({ "relations": [eats] }))?;
        let more = json!({ "observations": [{ "entityName": "whale", "contents": ["blue"] }] });
        structured(client, "add_observations", more).await?;
        let big = json!({ "name": "whale", "entityType": "animal", "observations": ["big", "blue"] });
        let both = json!({ "entities": [big], "relations": [eats] });
        same(
            "what is found",
            structured(client, "search_nodes", json!({ "query": "BLUE" })).await?,
            both.clone(),
        )?;
        same("what is opened", structured(client, "open_nodes", json!({ "names": ["whale"] })).await?, both)?;
        let resource: Value =
            serde_json::from_str(&read(client, GRAPH).await?).map_err(|error| error.to_string())?;
        same("the resource", resource, structured(client, "read_graph", json!({})).await?)?;
        let less = json!({ "deletions": [{ "entityName": "whale", "observations": ["big", "blue"] }] });
        structured(client, "delete_observations", less).await?;
        structured(client, "delete_relations", json!({ "relations": [eats] })).await?;
        structured(client, "delete_entities", json!({ "entityNames": ["whale"] })).await?;
        let left = json!({ "entities": [krill], "relations": [] });
        same("what is left", structured(client, "read_graph", json!({})).await?, left)
    })
    .await?;
    contains(&fs::read_to_string(&file).map_err(|error| error.to_string())?, "\"krill\"")
}

async fn tells_of_changes(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.memory(&folder.path().join("graph")), plain(), async |client| {
        let add = async |name: &str| {
            let entity = json!({ "name": name, "entityType": "animal", "observations": [] });
            structured(client, "create_entities", json!({ "entities": [entity] })).await
        };
        let filter = SubscriptionFilter {
            resource_subscriptions: Some(vec![GRAPH.into()]),
            ..SubscriptionFilter::default()
        };
        let mut changes = client.subscribe(filter).await.map_err(failed)?;
        add("whale").await?;
        same("the change", changes.next().await, Some(Change::Resource(GRAPH.into())))?;
        add("krill").await?;
        same("the next change", changes.next().await, Some(Change::Resource(GRAPH.into())))
    })
    .await
}

async fn fails_with_its_reason(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.memory(&folder.path().join("graph")), plain(), async |client| {
        let nobody = json!({ "observations": [{ "entityName": "nobody", "contents": ["x"] }] });
        contains(&say_failed(client, "add_observations", nobody).await?, "Entity with name nobody not found")
    })
    .await
}
