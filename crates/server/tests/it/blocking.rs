//! A connection over what blocks.

use std::io::{self, BufRead, BufReader, Write};
use std::thread;

use codewhale_mcp_server::{
    Context, Failure, Limits, NoArguments, Server, serve_blocking, serve_lines, tool,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};

use crate::drive::modern;
use crate::fixture::server;

fn line(id: i64, tool: &str, arguments: Value) -> String {
    format!("{}\n", modern(id, "tools/call", json!({"name": tool, "arguments": arguments}), json!({})))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_is_answered_in_the_order_of_its_completion() {
    let (server, done) = server();
    let ((input, mut asks), (answers, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    let client = thread::spawn(move || {
        let text = "x".repeat(100_000);
        asks.write_all(line(0, "wait", json!({})).as_bytes()).unwrap();
        let writer = thread::spawn(move || {
            for id in 1..=300 {
                let (tool, arguments) = match id % 3 {
                    0 => ("echo", json!({"text": text})),
                    1 => ("echo", json!({"text": "short"})),
                    _ => ("work", json!({})),
                };
                asks.write_all(line(id, tool, arguments).as_bytes()).unwrap();
            }
            asks
        });
        let mut ids: Vec<i64> = Vec::new();
        let mut answers = BufReader::new(answers).lines();
        while ids.len() < 300 {
            let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
            ids.push(answer["id"].as_i64().unwrap());
        }
        drop(writer.join().unwrap());
        assert!(answers.next().is_none(), "nobody answers what never ends");
        ids.sort_unstable();
        assert_eq!(ids, (1..=300).collect::<Vec<_>>());
    });
    serve_blocking(&server, input, output).await.unwrap();
    client.join().unwrap();
    assert_eq!(done.dropped.load(std::sync::atomic::Ordering::SeqCst), 1, "it was let go before the end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_though_nobody_reads() {
    let (server, _) = server();
    let ((input, mut asks), (answers, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    let text = "x".repeat(1000);
    for id in 0..30 {
        // Less than a pipe holds, and the answers are more.
        asks.write_all(line(id, "echo", json!({"text": text, "times": 3})).as_bytes()).unwrap();
    }
    drop(asks);
    serve_blocking(&server, input, output).await.unwrap();
    drop(answers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_ends_when_its_output_is_closed() {
    let (server, _) = server();
    let ((input, mut asks), (answers, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    drop(answers);
    asks.write_all(line(1, "echo", json!({"text": "x"})).as_bytes()).unwrap();
    serve_blocking(&server, input, output).await.unwrap();
    drop(asks);
}

/// An answer of more than is kept unread.
async fn large(_: NoArguments, _: Context) -> Result<String, Failure> {
    Ok("x".repeat(100_000))
}

/// A server whose bound for what is not read is reached by one answer.
fn small() -> Server {
    let limits = Limits { unread: 50_000, ..Limits::default() };
    Server::builder("small", "1").limits(limits).tool(tool("large", large)).build().expect("one tool")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_is_noticed_while_nobody_reads_and_requests_wait() {
    let ((input, mut asks), (answers, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    let writer = thread::spawn(move || {
        for id in 0..100 {
            asks.write_all(line(id, "large", json!({})).as_bytes()).unwrap();
        }
    });
    serve_blocking(&small(), input, output).await.unwrap();
    writer.join().unwrap();
    drop(answers);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_stream_is_noticed_too() {
    let (theirs, ours) = tokio::io::duplex(1000);
    let (asks, input) = tokio::io::duplex(1000);
    let (_unread, output) = tokio::io::split(ours);
    let (mut asks, input) = (tokio::io::split(asks).1, tokio::io::split(input).0);
    let asking = async {
        for id in 0..100 {
            asks.write_all(line(id, "large", json!({})).as_bytes()).await.unwrap();
        }
        asks.shutdown().await.unwrap();
    };
    let server = small();
    let (served, ()) = tokio::join!(serve_lines(&server, input, output), asking);
    served.unwrap();
    drop(theirs);
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_slowly_after_the_end_of_their_requests_gets_all_answers() {
    let (theirs, ours) = tokio::io::duplex(100_000);
    let (_, output) = tokio::io::split(ours);
    let asks: String = (0..8).map(|id| line(id, "large", json!({}))).collect();
    let server = small();
    let reading = async {
        let mut answers = tokio::io::BufReader::new(theirs).lines();
        let mut count = 0;
        while count < 8 {
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
            answers.next_line().await.unwrap().expect("an answer");
            count += 1;
        }
    };
    let (served, ()) = tokio::join!(serve_lines(&server, asks.as_bytes(), output), reading);
    served.unwrap();
}
