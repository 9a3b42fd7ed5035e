//! What a legacy server asks: on the stream of a request or on its own, which has to be there before it may ask.

use std::time::Duration;

use codewhale_mcp_client::{Client, Event, Options};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::web::{Got, Web, call, reply, said, text};
use crate::people::{accept, declaring, directories, everything, people};

const SOON: Duration = Duration::from_millis(900);

fn ask(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

#[tokio::test(start_paused = true)]
async fn what_a_server_asks_on_the_stream_of_a_call_is_answered_by_posts_of_their_own() {
    let (options, mut people) = people(everything());
    let (client, mut web) = Web::connected("2025-11-25", options).await;
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    let stream = post.events();
    let form = json!({"message": "who?", "requestedSchema": {"type": "object", "properties": {}}});
    stream.say(&ask("e", "elicitation/create", form));
    stream.say(&ask(7, "roots/list", json!({})));
    stream.say(&ask("p", "ping", json!({})));
    stream.say(&ask("x", "nobody/knows", json!({})));
    people.elicited().await.1.send(accept(json!({"name": "Ada"}))).unwrap();
    people.roots().await.send(directories(json!([{"uri": "file:///a"}]))).unwrap();
    let mut answers = Vec::new();
    for _ in 0..4 {
        let post = web.post("").await;
        assert_eq!(post.header("mcp-session-id"), Some("s-1"));
        assert_eq!(post.header("mcp-protocol-version"), Some("2025-11-25"));
        assert_eq!(post.header("mcp-method"), None);
        answers.push(post.body.clone());
        post.empty(202);
    }
    answers.sort_by_key(|answer| answer["id"].to_string());
    assert_eq!(
        answers[0],
        json!({"jsonrpc": "2.0", "id": "e", "result": {"action": "accept", "content": {"name": "Ada"}}})
    );
    assert_eq!(answers[1], json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
    assert_eq!(answers[2]["error"]["code"], -32601);
    assert_eq!(answers[3], json!({"jsonrpc": "2.0", "id": 7, "result": {"roots": [{"uri": "file:///a"}]}}));
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_arrive_is_told_of_and_ends_nothing() {
    let (client, mut web, stream) = Web::listening(Options::default()).await;
    let mut events = client.events();
    for status in [400, 404, 500] {
        stream.say(&ask(status, "ping", json!({})));
        web.post("").await.empty(status);
        let Some(Event::NotDelivered { fault }) = events.next().await else { panic!("an event") };
        assert_eq!(fault.to_string(), format!("the server answered with status {status}"));
    }
    stream.say(&ask("p", "ping", json!({})));
    web.post("").await.text(200, Some("application/json"), "{}");
    web.hears_nothing().await;
    assert!(events.ready().is_none());
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_our_answer_is_not_waited_for() {
    let (_client, mut web, stream) = Web::listening(Options::default()).await;
    let mut bodies = Vec::new();
    // More than are posted at one time, each with a body that does not end.
    for id in 0..100 {
        stream.say(&ask(id, "ping", json!({})));
        bodies.push(web.post("").await.events());
    }
    for body in bodies {
        body.gone().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_asks_on_a_stream_gets_no_answer() {
    let (options, mut people) = people(everything());
    let (client, mut web) = Web::connected("2026-07-28", options).await;
    let mut events = client.events();
    let calling = call(&client);
    let post = web.post("tools/call").await;
    let answer = reply(&post.body, text("ok"));
    let stream = post.events();
    stream.say(&ask("p", "ping", json!({})));
    stream.say(&ask("r", "roots/list", json!({})));
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("a result"), "ok");
    for _ in 0..2 {
        assert!(matches!(events.next().await, Some(Event::Dropped { .. })));
    }
    people.are_not_asked();
    web.hears_nothing().await;
}

/// A client that names directories, in a session whose stream was asked for and not answered yet.
async fn in_a_session(options: Options) -> (Client, Web, Got) {
    let (connecting, mut web) = Web::connecting(options);
    web.shake_hands("2025-11-25", json!({"tools": {}})).await;
    let get = web.get().await;
    (connecting.await.expect("the task ends").expect("a client"), web, get)
}

fn with_roots() -> Options {
    declaring(json!({"roots": {}}))
}

fn list(client: &Client) -> JoinHandle<()> {
    let client = client.clone();
    tokio::spawn(async move {
        client.list_tools().await.expect("it is answered");
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_leaves_when_the_stream_for_questions_is_open_or_known_not_to_be() {
    for offered in [true, false] {
        let (client, mut web, get) = in_a_session(with_roots()).await;
        let calling = call(&client);
        web.hears_nothing_for(SOON).await;
        let stream = match offered {
            true => Some(get.events()),
            false => {
                get.empty(405);
                None
            }
        };
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
        drop(stream);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_whether_it_has_a_stream_is_waited_for_once() {
    let (client, mut web, get) = in_a_session(with_roots()).await;
    for waited in [Duration::from_secs(1), Duration::ZERO] {
        let (calling, begun) = (call(&client), Instant::now());
        web.post("tools/call").await.result(text("ok"));
        said(calling).await.expect("a result");
        assert_eq!(begun.elapsed().as_secs(), waited.as_secs());
    }
    drop(get);
}

#[tokio::test(start_paused = true)]
async fn who_is_not_asked_anything_does_not_wait() {
    let (client, mut web, _get) = in_a_session(Options::default()).await;
    let (calling, begun) = (call(&client), Instant::now());
    web.post("tools/call").await.result(text("ok"));
    said(calling).await.expect("a result");
    assert_eq!(begun.elapsed(), Duration::ZERO);

    let (client, mut web, _get) = in_a_session(with_roots()).await;
    let (listing, begun) = (list(&client), Instant::now());
    web.post("tools/list").await.result(json!({"tools": []}));
    listing.await.expect("the task ends");
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_before_a_call_leaves_tells_nobody() {
    let (client, mut web, get) = in_a_session(with_roots()).await;
    let calling = call(&client);
    web.hears_nothing_for(SOON).await;
    calling.abort();
    drop(get.events());
    web.get().await.empty(405);
    web.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_questions_is_answered_by_few_posts_at_a_time() {
    let (client, mut web, stream) = Web::listening(Options::default()).await;
    let pings: String = (0..1000).map(|id| format!("data: {}\n\n", ask(id, "ping", json!({})))).collect();
    stream.raw(&pings);
    let (mut open, mut answered, mut most) = (Vec::new(), 0, 0);
    while answered < 1000 {
        while let Ok(post) = tokio::time::timeout(Duration::from_millis(1), web.post("")).await {
            open.push(post);
        }
        most = most.max(open.len());
        answered += open.len();
        open.drain(..).for_each(|post| post.empty(202));
    }
    assert_eq!((answered, most), (1000, 64));
    // What is written last leaves when the connection is closed in the middle of it, as far as it is taken at once.
    stream.raw(&pings);
    web.post("").await.empty(202);
    let closing = tokio::spawn(async move { client.close().await });
    web.delete().await.empty(200);
    closing.await.expect("the task ends");
}
