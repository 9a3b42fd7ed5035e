//! Requests that are given up: the server is told in the way of its era, once, and never asked twice.

use std::pin::pin;
use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Event, Ignored};
use codewhale_mcp_protocol::Members;
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http::world::{call, connected, remote};
use crate::world::{World, run};

/// Every kind of request that a server of either era answers.
const KINDS: [&str; 6] =
    ["tools/call", "resources/read", "prompts/get", "tools/list", "resources/list", "prompts/list"];
const SOON: Duration = Duration::from_millis(300);
const LATE: Duration = Duration::from_secs(60);

/// Asks for something of this kind.
async fn ask(client: &Client, kind: &str, budget: Duration) -> Result<(), CallError> {
    let (arguments, none) = (json!({"text": "x"}), Members::default());
    match kind {
        "tools/call" => client.call_tool("echo", &arguments).timeout(budget).send().await.map(drop),
        "resources/read" => client.read_resource("text://greeting").timeout(budget).send().await.map(drop),
        "prompts/get" => client.get_prompt("greet", &none).timeout(budget).send().await.map(drop),
        "tools/list" => client.list_tools_page(None).fresh().timeout(budget).send().await.map(drop),
        "resources/list" => client.list_resources_page(None).fresh().timeout(budget).send().await.map(drop),
        "prompts/list" => client.list_prompts_page(None).fresh().timeout(budget).send().await.map(drop),
        other => panic!("{other}"),
    }
}

/// Whether the server was told that this request is given up, as its era has it.
fn is_told(fake: &HttpFake, era: &str, id: &Value) -> bool {
    let told = fake.requests_of("notifications/cancelled");
    let told = told.iter().filter(|note| note.json()["params"]["requestId"] == *id).count();
    let left = fake.notes().contains(&format!("left {id}"));
    if era == "modern" { left } else { told == 1 }
}

async fn one(era: &'static str, stall: &'static str, kind: &'static str, dropped: Dropped) {
    let fake = HttpFake::start(&format!("{stall} --at {kind} --era {era}"));
    let world = World::new();
    // Lists are read while connecting; what comes after that is of interest.
    let attempt = world.manager.open(&remote(&fake, json!({}))).await;
    let connection = attempt.connection.expect("it is ready");
    let client = connection.client();
    match dropped {
        Dropped::ByTheBudget => {
            let told = ask(client, kind, SOON).await;
            assert!(matches!(told, Err(CallError::ServerTimedOut { .. })), "{era} {stall} {kind}: {told:?}");
        }
        Dropped::ByTheCaller => {
            let mut asked = pin!(ask(client, kind, LATE));
            let seen = fake.until(|fake| fake.count(kind) == 1);
            tokio::select! {
                told = asked.as_mut() => panic!("{era} {stall} {kind}: {told:?}"),
                () = seen => {}
            }
        }
    }
    let id = fake.requests_of(kind)[0].json()["id"].clone();
    fake.until(|fake| is_told(fake, era, &id)).await;
    assert_eq!(fake.count(kind), 1, "{era} {stall} {kind}: it is never sent twice");
    if era == "modern" {
        assert_eq!(fake.count("notifications/cancelled"), 0, "{stall} {kind}");
    }
    let other = if kind == "tools/list" { "prompts/list" } else { "tools/list" };
    ask(client, other, LATE).await.unwrap_or_else(|error| panic!("{era} {stall} {kind}: {error}"));
    assert_eq!(fake.violations(), [""; 0]);
    connection.close().await;
    world.manager.shutdown().await;
}

#[derive(Clone, Copy)]
enum Dropped {
    ByTheBudget,
    ByTheCaller,
}

#[test]
fn p02_p03_whatever_is_given_up_is_told_once_in_the_way_of_the_era_and_not_sent_again() {
    run(async {
        let mut runs = JoinSet::new();
        for kind in KINDS {
            for era in ["legacy", "modern"] {
                for stall in ["stalled-head", "stalled-body"] {
                    runs.spawn(one(era, stall, kind, Dropped::ByTheBudget));
                    runs.spawn(one(era, stall, kind, Dropped::ByTheCaller));
                }
            }
        }
        runs.join_all().await;
    });
}

#[test]
fn p02_a_late_answer_on_the_one_stream_of_a_server_is_given_to_nobody() {
    run(async {
        let (world, fake) = (World::new(), HttpFake::start("sse+late --delay 1500"));
        let connection = connected(&world, &fake).await;
        let (client, mut events) = (connection.client(), connection.client().events());
        let first = json!({"text": "first"});
        let told = client.call_tool("echo", &first).timeout(SOON).send().await;
        assert!(matches!(told, Err(CallError::ServerTimedOut { .. })), "{told:?}");
        assert_eq!(call(client, "second").await.unwrap(), "second");
        let late = std::iter::from_fn(|| events.ready())
            .filter(|event| matches!(event, Event::Dropped { reason: Ignored::LateReply(_), .. }));
        assert_eq!(late.count(), 1);
        let cancelled = fake.requests_of("notifications/cancelled");
        let id = fake.requests_of("tools/call")[0].json()["id"].clone();
        assert!(cancelled.len() == 1 && cancelled[0].json()["params"]["requestId"] == id, "{cancelled:?}");
        assert_eq!(fake.count("tools/call"), 2);
        connection.close().await;
        world.manager.shutdown().await;
    });
}
