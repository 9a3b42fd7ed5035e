//! What a server says behind an answer, which is for nobody.

use std::time::Duration;

use codewhale_mcp_client::{Client, Options};
use tokio::time::Instant;

use super::web::{Web, call, reply, said, text};
use super::wire::Stream;

/// A call that is answered on a stream, which stays open.
async fn answered(client: &Client, web: &mut Web) -> Stream {
    let calling = call(client);
    let got = web.post("tools/call").await;
    let answer = reply(&got.body, text("ok"));
    let stream = got.events();
    stream.say(&answer);
    assert_eq!(said(calling).await.expect("an answer"), "ok");
    stream
}

#[tokio::test(start_paused = true)]
async fn streams_without_an_end_are_few_and_are_not_kept_for_long() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let mut streams = Vec::new();
    for _ in 0..300 {
        streams.push(answered(&client, &mut web).await);
    }
    assert_eq!(streams.iter().filter(|stream| !stream.is_gone()).count(), 256);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(streams.iter().all(Stream::is_gone));
    let next = answered(&client, &mut web).await;
    assert!(!next.is_gone(), "there is room again");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_goes_on_and_on_is_left() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let begun = Instant::now();
    let stream = answered(&client, &mut web).await;
    for _ in 0..10 {
        stream.raw(&format!(": {}\n", "x".repeat(10_000)));
    }
    stream.gone().await;
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}
