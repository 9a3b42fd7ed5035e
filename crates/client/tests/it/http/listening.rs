//! Subscriptions of a modern server: one stream, and another one when it broke off.

use std::time::Duration;

use codewhale_mcp_client::{Change, Client, Options, Subscription};
use codewhale_mcp_protocol::SubscriptionFilter;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::web::{Web, reply};
use super::wire::Stream;

fn filter() -> SubscriptionFilter {
    SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() }
}

/// Agrees to the next subscription.
async fn agree(web: &mut Web) -> (Value, Stream) {
    let post = web.post("subscriptions/listen").await;
    let request = post.body.clone();
    let stream = post.events();
    let acknowledged = json!({"notifications": {"toolsListChanged": true}});
    stream.notify("notifications/subscriptions/acknowledged", acknowledged);
    (request, stream)
}

async fn subscribed() -> (Client, Web, Subscription, Value, Stream) {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let (subscription, (request, stream)) = tokio::join!(client.subscribe(filter()), agree(&mut web));
    (client, web, subscription.expect("a subscription"), request, stream)
}

#[tokio::test(start_paused = true)]
async fn what_a_stream_says_is_of_its_subscription_with_or_without_its_id() {
    let (client, mut web, mut one, request, stream) = subscribed().await;
    let (other, (_, second)) = tokio::join!(client.subscribe(filter()), agree(&mut web));
    let mut other = other.expect("a subscription");
    stream.notify("notifications/tools/list_changed", json!({}));
    let meta = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": request["id"]}});
    stream.notify("notifications/tools/list_changed", meta);
    second.notify("notifications/prompts/list_changed", json!({}));
    assert_eq!(one.next().await, Some(Change::Tools));
    assert_eq!(one.next().await, Some(Change::Tools));
    assert_eq!(other.next().await, Some(Change::Prompts));
    assert!(timeout(Duration::from_secs(3600), one.next()).await.is_err(), "it may be silent for long");
    stream.notify("notifications/tools/list_changed", json!({}));
    assert_eq!(one.next().await, Some(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_broke_off_is_opened_again_and_what_was_missed_is_said() {
    for broken in [true, false] {
        let (_client, mut web, mut subscription, request, stream) = subscribed().await;
        match broken {
            true => stream.breaks(),
            false => drop(stream),
        }
        let begun = Instant::now();
        let (change, (again, stream)) = tokio::join!(subscription.next(), agree(&mut web));
        assert_eq!(change, Some(Change::Missed));
        assert_eq!(begun.elapsed(), Duration::from_secs(1));
        assert_ne!(again["id"], request["id"]);
        assert_eq!(again["params"]["notifications"], request["params"]["notifications"]);
        stream.notify("notifications/tools/list_changed", json!({}));
        assert_eq!(subscription.next().await, Some(Change::Tools));
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_cut_while_it_is_silent_is_opened_again_however_often() {
    let (_client, mut web, mut subscription, _, mut stream) = subscribed().await;
    for again in 0..30 {
        let silence = async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            stream.breaks();
            agree(&mut web).await
        };
        let (change, (_, next)) = tokio::join!(subscription.next(), silence);
        assert_eq!(change, Some(Change::Missed), "{again}");
        stream = next;
    }
    stream.notify("notifications/tools/list_changed", json!({}));
    assert_eq!(subscription.next().await, Some(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_in_words_is_not_opened_again() {
    let (_client, mut web, mut subscription, request, stream) = subscribed().await;
    stream.say(&reply(&request, json!({"resultType": "complete"})));
    drop(stream);
    assert_eq!(subscription.next().await, None);
    assert_eq!(subscription.next().await, None);
    web.hears_nothing_for(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_open_it_again_is_asked_less_and_less_and_then_no_more() {
    let (_client, mut web, mut subscription, _, stream) = subscribed().await;
    stream.breaks();
    let begun = Instant::now();
    let ((), changes) = tokio::join!(
        async {
            let mut count = 0;
            for _ in 0..10 {
                let post = web.post("subscriptions/listen").await;
                count += usize::from(post.at - begun < Duration::from_secs(5));
                post.empty(503);
            }
            assert!(count <= 4, "{count} in 5 s");
        },
        async { (subscription.next().await, subscription.next().await) }
    );
    assert_eq!(changes, (None, None));
    web.hears_nothing_for(Duration::from_secs(600)).await;
}

#[tokio::test(start_paused = true)]
async fn who_stops_waiting_for_a_change_misses_none() {
    let (_client, mut web, mut subscription, _, stream) = subscribed().await;
    stream.breaks();
    // In the pause, and while the server takes its time to agree.
    assert!(timeout(Duration::from_millis(10), subscription.next()).await.is_err());
    let listening = async {
        let mut post = web.post("subscriptions/listen").await;
        post.gone().await;
    };
    let (waited, ()) = tokio::join!(timeout(Duration::from_secs(60), subscription.next()), listening);
    assert!(waited.is_err());
    let (change, (_, stream)) = tokio::join!(subscription.next(), agree(&mut web));
    assert_eq!(change, Some(Change::Missed));
    stream.notify("notifications/tools/list_changed", json!({}));
    assert_eq!(subscription.next().await, Some(Change::Tools));
}

#[tokio::test(start_paused = true)]
async fn dropping_a_subscription_ends_its_stream_and_says_nothing() {
    let (client, mut web, subscription, _, stream) = subscribed().await;
    drop(subscription);
    stream.gone().await;
    web.hears_nothing().await;
    // A client that is gone opens nothing again.
    let (subscription, (_, stream)) = tokio::join!(client.subscribe(filter()), agree(&mut web));
    let mut subscription = subscription.expect("a subscription");
    drop(client);
    drop(stream);
    assert_eq!(subscription.next().await, None);
    web.hears_nothing_for(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_is_not_agreed_to_says_why() {
    let (client, mut web) = Web::connected("2026-07-28", Options::default()).await;
    let (refused, ()) = tokio::join!(client.subscribe(filter()), async {
        web.post("subscriptions/listen").await.text(404, Some("text/html"), "<html>");
    });
    assert_eq!(
        refused.expect_err("no").to_string(),
        "no answer to subscriptions/listen: the server answered with status 404: <html>"
    );
    let (refused, ()) = tokio::join!(client.subscribe(filter()), async {
        web.post("subscriptions/listen").await.refuse(404, json!({"code": -32601, "message": "no"}));
    });
    let error = refused.expect_err("no").to_string();
    assert_eq!(error, "the server answered subscriptions/listen with an error: no (code -32601)");
    web.hears_nothing().await;
}
