//! A connection over what blocks.

use std::io::{self, BufRead, BufReader, Write};
use std::thread;

use codewhale_mcp_server::serve_blocking;
use serde_json::{Value, json};

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
