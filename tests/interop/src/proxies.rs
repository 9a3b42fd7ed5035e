//! What stands between the client and a server: the proxy of the environment, `NO_PROXY`, and nginx before a server
//! that does not ask it to leave its stream alone.

use std::time::Duration;

use codewhale_mcp_client::{Client, EraReason};
use codewhale_mcp_protocol::Revision;
use codewhale_mcp_transport::http::Ways;
use serde_json::json;

use crate::by::Route;
use crate::check::{Check, Outcome, checks, checks_with};
use crate::endpoint::{self, NAME, Names, To};
use crate::expect::{contains, holds, same, say, tools};
use crate::made_by::Maker;
use crate::peer::{Server, plain, refused_to_connect, speaks, with};
use crate::shared::Which;
use crate::tinyproxy::{self, requests};
use crate::world::World;

pub(crate) fn checks(makers: &[Maker]) -> Vec<Check> {
    let everything = [Which::EverythingHttp, Which::EverythingEvents].into_iter();
    let mut all = Vec::new();
    for which in everything.chain(makers.iter().map(|maker| Which::Made(*maker))) {
        all.extend(checks_with![&format!("{which} and proxies"), which;
            goes_through_the_proxy_of_the_environment,
            goes_past_the_proxy_where_no_proxy_says_so,
        ]);
    }
    all.extend(checks!["everything (sse)";
        is_reached_by_those_who_ask_for_its_transport,
        is_reached_by_those_who_remember_its_transport,
        is_given_up_behind_an_nginx_that_keeps_its_stream,
    ]);
    all
}

async fn goes_through_the_proxy_of_the_environment(world: &World, which: Which) -> Outcome {
    let port = world.shared.server(world, which).await?;
    let (proxy, log) = tinyproxy::start_in(world, &world.shared).await?;
    let to = To::through(proxy.port, port, which.path());
    let outcome = with(server(&to)?, plain(), async |client| works(client, which).await).await;
    // More than the handshake and what was asked here: none of them is a number of the protocol.
    let seen = requests(&log, &format!("{NAME}:{port}"))?;
    proxy.stop().await?;
    outcome?;
    holds(&format!("the proxy saw the requests ({seen})"), seen >= 3)
}

async fn goes_past_the_proxy_where_no_proxy_says_so(world: &World, which: Which) -> Outcome {
    let port = world.shared.server(world, which).await?;
    let (proxy, log) = tinyproxy::start_in(world, &world.shared).await?;
    let mut to = To::through(proxy.port, port, which.path());
    to.names = Names::Here;
    to.environment
        .push(("NO_PROXY", format!("other.test, .{}", NAME.split_once('.').expect("it has a dot").1)));
    let outcome = with(server(&to)?, plain(), async |client| works(client, which).await).await;
    let seen = requests(&log, &format!("{NAME}:{port}"))?;
    proxy.stop().await?;
    outcome?;
    same("the number of requests that the proxy saw", seen, 0)
}

/// It is there, in the right era.
async fn works(client: &Client, which: Which) -> Outcome {
    let (revision, tool, argument) = match which {
        Which::EverythingHttp | Which::EverythingEvents => (Revision::V2025_11_25, "echo", "message"),
        Which::Made(_) => (Revision::V2026_07_28, "say", "text"),
    };
    speaks(client, revision)?;
    holds("the tool is listed", tools(client).await?.iter().any(|name| name == tool))?;
    contains(&say(client, tool, json!({ argument: "a whale" })).await?, "a whale")
}

async fn is_reached_by_those_who_ask_for_its_transport(world: &World) -> Outcome {
    let which = Which::EverythingEvents;
    let mut to = world.shared.way(world, which, Route::Direct).await?;
    to.ways = Ways::EventStream;
    with(server(&to)?, plain(), async |client| {
        same("the reason", client.server().reason, EraReason::EventStream)?;
        works(client, which).await
    })
    .await
}

async fn is_reached_by_those_who_remember_its_transport(world: &World) -> Outcome {
    let which = Which::EverythingEvents;
    let to = world.shared.way(world, which, Route::Direct).await?;
    let mut options = plain();
    options.memory.event_stream = true;
    with(server(&to)?, options, async |client| works(client, which).await).await
}

/// nginx passes on the head and the address for messages with the rest of its buffer, which never comes. Nothing that
/// a client sends changes that; it can say what is missing.
async fn is_given_up_behind_an_nginx_that_keeps_its_stream(world: &World) -> Outcome {
    let to = world.shared.way(world, Which::EverythingEvents, Route::Nginx).await?;
    let mut options = plain();
    options.connect_timeout = Duration::from_secs(10);
    let error = refused_to_connect(server(&to)?, options).await?;
    same("why", &*error, "the event stream of the server (HTTP+SSE) did not open within 10 s")
}

fn server(to: &To) -> Result<Server, String> {
    Ok(endpoint::connector(to)?.into())
}
