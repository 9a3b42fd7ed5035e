//! Over HTTP a legacy server asks on a stream of its own, which has to be there before it may want to ask.

use std::time::Duration;

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_protocol::{ClientCapabilities, RootsCapability};
use serde_json::json;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::exchanged::Server;

const SOON: Duration = Duration::from_millis(900);

/// What a client offers that names directories.
fn with_roots() -> Options {
    let mut options = Options::default();
    options.capabilities =
        ClientCapabilities { roots: Some(RootsCapability::default()), ..ClientCapabilities::default() };
    options
}

fn call(client: &Client) -> JoinHandle<()> {
    let client = client.clone();
    tokio::spawn(async move {
        client.call_tool("greet", &json!({})).send().await.expect("it is answered");
    })
}

fn list(client: &Client) -> JoinHandle<()> {
    let client = client.clone();
    tokio::spawn(async move {
        client.list_tools().await.expect("it is answered");
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_leaves_when_the_stream_for_questions_is_open() {
    let (client, mut server, stream) = Server::in_a_session(with_roots()).await;
    let call = call(&client);
    server.is_not_asked_for(SOON).await;
    stream.silent_stream();
    server.posted("tools/call").await.with(json!({"content": []}));
    call.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_call_leaves_when_there_is_no_stream_for_questions() {
    let (client, mut server, stream) = Server::in_a_session(with_roots()).await;
    let call = call(&client);
    server.is_not_asked_for(SOON).await;
    stream.nothing(405);
    server.posted("tools/call").await.with(json!({"content": []}));
    call.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_whether_it_has_a_stream_is_waited_for_once() {
    let (client, mut server, stream) = Server::in_a_session(with_roots()).await;
    for waited in [Duration::from_secs(1), Duration::ZERO] {
        let (call, begun) = (call(&client), Instant::now());
        server.posted("tools/call").await.with(json!({"content": []}));
        call.await.unwrap();
        assert_eq!(begun.elapsed().as_secs(), waited.as_secs());
    }
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn who_is_not_asked_anything_does_not_wait() {
    let (client, mut server, _stream) = Server::in_a_session(Options::default()).await;
    let (call, begun) = (call(&client), Instant::now());
    server.posted("tools/call").await.with(json!({"content": []}));
    call.await.unwrap();
    assert_eq!(begun.elapsed(), Duration::ZERO);

    let (client, mut server, _stream) = Server::in_a_session(with_roots()).await;
    let (list, begun) = (list(&client), Instant::now());
    server.posted("tools/list").await.with(json!({"tools": []}));
    list.await.unwrap();
    assert_eq!(begun.elapsed(), Duration::ZERO);
}
